import BeaconAdvertising
import Beacons
import Instants
import Ranging

/// The beacons that a scan has heard until `time`.
public struct ScanSnapshot: Hashable, Sendable {
  public static let mostUUIDs = 32

  public let time: Instant
  public let start: Instant
  /// The UUIDs, strongest first, those that are gone last; at most `mostUUIDs`.
  public let uuids: [ScannedUUID]
  public let uuidCount: Int
  public let beaconCount: Int
  /// The number of gone beacons that made room for others.
  public let forgotten: Int
  /// The number of advertisements of beacons for which there was no room.
  public let unlisted: Int
}

/// The beacons of one UUID.
public struct ScannedUUID: Hashable, Sendable {
  public static let mostBeacons = 16

  public let uuid: BeaconUUID
  public let count: Int
  /// The beacons, strongest first, those that are gone last; at least one and at most `mostBeacons`.
  public let beacons: [ScannedBeacon]
  public let strongest: ScannedBeacon
  /// Advertisements per second of all beacons of the UUID.
  public let rate: Double
  public let lastSeen: Instant

  /// Creates the group of `beacons`, which must not be empty.
  init(_ uuid: BeaconUUID, _ beacons: [ScannedBeacon], at time: Instant) {
    let sorted = beacons.sorted { ScannedBeacon.precedes($0, $1, at: time) }
    self.uuid = uuid
    count = sorted.count
    self.beacons = Array(sorted.prefix(Self.mostBeacons))
    strongest = sorted[0]
    rate = sorted.reduce(0) { $0 + $1.rate }
    lastSeen = sorted.reduce(sorted[0].lastSeen) { max($0, $1.lastSeen) }
  }
}

/// One beacon as it was last heard.
public struct ScannedBeacon: Hashable, Sendable {
  public let beacon: BeaconIdentity
  /// The filtered RSSI in dBm; `nil` if the beacon was heard without one.
  public let rssi: Double?
  /// The distance in metres; `nil` if unknown.
  public let distance: Double?
  /// Advertisements per second.
  public let rate: Double
  public let lastSeen: Instant

  init(_ track: BeaconTrack, at time: Instant) {
    beacon = track.beacon
    rssi = track.filter?.level
    distance = track.estimate?.distance.metres
    rate = track.rate.perSecond(at: time)
    lastSeen = track.lastSeen
  }

  func isGone(at time: Instant) -> Bool { time - lastSeen >= RangedBeacon.goneAfter }

  /// Orders beacons by whether they are gone, by RSSI and by identity: the same set always has the same order.
  static func precedes(_ a: ScannedBeacon, _ b: ScannedBeacon, at time: Instant) -> Bool {
    if a.isGone(at: time) != b.isGone(at: time) { return b.isGone(at: time) }
    let (first, second) = (a.rssi ?? -.infinity, b.rssi ?? -.infinity)
    return first != second ? first > second : a.beacon < b.beacon
  }
}

import Beacons
import Instants

/// A beacon in a ranging snapshot.
public struct RangedBeacon: Hashable, Sendable {
  public let beacon: BeaconIdentity
  public let proximity: BeaconProximity
  /// The distance in metres; `nil` if unknown.
  public let distance: Double?
  /// One sigma of the distance in metres; `nil` if the distance is unknown.
  public let accuracy: Double?
  /// The filtered RSSI in dBm; `nil` if unknown.
  public let rssi: Double?
  /// Advertisements per second.
  public let rate: Double
  public let lastSeen: Instant
}

extension RangedBeacon {
  /// The silence after which a beacon's distance is unknown.
  public static let unknownAfter = Span.seconds(5)
  /// The silence after which a beacon leaves the list.
  public static let goneAfter = Span.seconds(10)

  /// Creates the entry of a track; `nil` if the beacon is gone at `time`.
  public init?(_ track: BeaconTrack, at time: Instant) {
    let age = time - track.lastSeen
    guard age < Self.goneAfter else { return nil }
    let isFresh = age < Self.unknownAfter
    beacon = track.beacon
    proximity = isFresh ? track.proximity : .unknown
    let known = isFresh ? track.distance : nil
    distance = known?.metres
    rssi = isFresh ? track.filter?.level : nil
    rate = track.rate.perSecond(at: time)
    lastSeen = track.lastSeen
    accuracy = known.flatMap { distance in track.filter.map { distance.accuracy(slope: track.model.slope, deviation: $0.deviation) } }
  }

  /// Orders beacons by distance, unknown distances last, then by identity: the same set always has the same order.
  public static func precedes(_ a: RangedBeacon, _ b: RangedBeacon) -> Bool {
    let (first, second) = (a.distance ?? .infinity, b.distance ?? .infinity)
    return first != second ? first < second : a.beacon < b.beacon
  }
}

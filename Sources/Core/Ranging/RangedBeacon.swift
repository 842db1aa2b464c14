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
  /// The method that gave the distance; `nil` if the distance is unknown.
  public let distanceMethod: DistanceMethod?
  /// The filtered RSSI in dBm; `nil` if unknown.
  public let rssi: Double?
  /// Advertisements per second.
  public let rate: Double
  public let lastSeen: Instant
  /// The distance by path loss alone, which decides about the order; `nil` if unknown.
  private let pathLossDistance: Distance?
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
    let estimate = isFresh ? track.estimate : nil
    distance = estimate?.distance.metres
    accuracy = estimate?.accuracy
    distanceMethod = estimate?.method
    pathLossDistance = isFresh ? track.distance : nil
    rssi = isFresh ? track.filter?.level : nil
    rate = track.rate.perSecond(at: time)
    lastSeen = track.lastSeen
  }

  /// Orders beacons by their distance by path loss alone, unknown distances last, then by identity.
  /// The same set always has the same order. A prior tells nothing about which of two beacons is nearer.
  public static func precedes(_ a: RangedBeacon, _ b: RangedBeacon) -> Bool {
    guard a.pathLossDistance != b.pathLossDistance else { return a.beacon < b.beacon }
    guard let first = a.pathLossDistance, let second = b.pathLossDistance else { return a.pathLossDistance != nil }
    return first < second
  }
}

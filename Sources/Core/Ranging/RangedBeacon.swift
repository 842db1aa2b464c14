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
  /// The learned interval and the loss; `nil` if they are unknown, or no client wants them.
  public var reception: BeaconReception?
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
    rssi = isFresh ? track.filter?.level : nil
    rate = track.rate.perSecond(at: time)
    lastSeen = track.lastSeen
  }

  /// Returns a copy whose distance comes from the indoor position.
  ///
  /// - Parameters:
  ///   - distance: in metres.
  ///   - deviation: the standard deviation of the natural logarithm of the distance.
  public func located(at distance: Double, deviation: Double) -> RangedBeacon {
    RangedBeacon(self, distance: distance, accuracy: DistanceEstimate.accuracy(distance, deviation: deviation), method: .indoor)
  }

  private init(_ other: RangedBeacon, distance: Double, accuracy: Double, method: DistanceMethod) {
    (beacon, proximity, rssi, rate, lastSeen) = (other.beacon, other.proximity, other.rssi, other.rate, other.lastSeen)
    (self.distance, self.accuracy, distanceMethod) = (distance, accuracy, method)
  }

  /// Orders beacons by distance, unknown distances last, then by identity: the same set always has the same order.
  public static func precedes(_ a: RangedBeacon, _ b: RangedBeacon) -> Bool {
    let (first, second) = (a.distance ?? .infinity, b.distance ?? .infinity)
    return first != second ? first < second : a.beacon < b.beacon
  }
}

extension RangedBeacon {
  /// Returns the beacon for clients.
  public func report(wallClock: (Instant) -> Instant = { $0 }) -> BeaconReport {
    var report = BeaconReport()
    (report.uuid, report.major, report.minor, report.proximity) = (beacon.uuid, beacon.major, beacon.minor, proximity)
    (report.distance, report.accuracy, report.rssi, report.rate) = (distance, accuracy, rssi, rate)
    (report.lastSeen, report.distanceMethod) = (wallClock(lastSeen), distanceMethod)
    return report
  }
}

import Beacons
import Geodesy
import IndoorPositioning

/// The output of one second in one venue.
public struct IndoorPosition: Hashable, Sendable {
  /// The id of the venue.
  public let venue: String
  /// The position on the earth; `nil` without an estimate, or for a venue whose location is unknown.
  public let coordinate: Coordinate?
  /// The position on the plan, or the reason why there is none.
  public let output: IndoorOutput
}

/// The distance to a beacon by the indoor position.
public struct LocatedBeacon: Hashable, Sendable {
  public let beacon: BeaconIdentity
  /// The median of the distance.
  public let metres: Double
  /// The standard deviation of the natural logarithm of the distance.
  public let deviation: Double

  public init(_ beacon: BeaconIdentity, metres: Double, deviation: Double) {
    (self.beacon, self.metres, self.deviation) = (beacon, metres, deviation)
  }
}

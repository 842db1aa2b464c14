import Beacons

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

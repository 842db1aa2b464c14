import Beacons

/// A beacon in a digest, as a device received it since the digest before.
public struct FleetSighting: Hashable, Sendable {
  public var beacon: BeaconIdentity
  /// The filtered RSSI at the end of the digest in dBm: -128 to 20.
  public var level: Int
  /// The distance in centimetres, at most 10 km; nil if it is unknown.
  public var distance: Int?
  /// Packets per ten seconds, at most 65,535.
  public var rate: Int
  /// Milliseconds between the last packet and the end of the digest, at most 65,535.
  public var age: Int

  public init(beacon: BeaconIdentity, level: Int, distance: Int?, rate: Int, age: Int) {
    (self.beacon, self.level, self.distance, self.rate, self.age) = (beacon, level, distance, rate, age)
  }
}

/// The measurements of the beacon that decided an event. A value that is unknown is nil.
public struct BeaconMeasurement: Hashable, Sendable {
  /// The filtered RSSI in dBm.
  public let rssi: Double?
  /// The filtered distance in metres.
  public let distance: Double?
  /// One sigma of the distance, in metres.
  public let accuracy: Double?
  /// The method that gave the distance.
  public let distanceMethod: DistanceMethod?
  /// The class of the distance.
  public let proximity: Proximity?

  public init(rssi: Double?, distance: Double?, accuracy: Double?, distanceMethod: DistanceMethod?, proximity: Proximity?) {
    self.rssi = rssi
    self.distance = distance
    self.accuracy = accuracy
    self.distanceMethod = distanceMethod
    self.proximity = proximity
  }
}

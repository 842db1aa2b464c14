public import Beacons

/// The signal of a beacon at a known distance, over a few seconds in which the receiver stayed where it was.
public struct SignalSample: Hashable, Sendable {
  public let beacon: BeaconIdentity
  /// The adapter, by its number in the source's roster.
  public let adapter: UInt16
  /// The RSSI in dBm at 1 m that the beacon advertises.
  public let power: Double
  /// Metres.
  public let distance: Double
  /// The mean RSSI in dBm, without any offset.
  public let rssi: Double
  /// The number of packets in the mean.
  public let packets: Int

  public init(beacon: BeaconIdentity, adapter: UInt16 = 0, power: Double, distance: Double, rssi: Double, packets: Int) {
    (self.beacon, self.adapter, self.power) = (beacon, adapter, power)
    (self.distance, self.rssi, self.packets) = (distance, rssi, packets)
  }

  /// The distances that a sample can have, in metres: nearer, the model of path loss does not hold.
  public static let distances = 0.25...100.0

  /// Returns the sample of a receiver with an offset in dB.
  func adding(_ offset: Double) -> SignalSample {
    SignalSample(beacon: beacon, adapter: adapter, power: power, distance: distance, rssi: rssi + offset, packets: packets)
  }

  /// Whether the values can be of a real measurement.
  var isUsable: Bool {
    Self.distances.contains(distance) && (-127...20).contains(rssi) && (-127...20).contains(power) && packets > 0
  }
}

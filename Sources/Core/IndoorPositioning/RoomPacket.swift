/// One packet of a transmitter of the plan.
public struct RoomPacket: Hashable, Sendable {
  /// The transmitter's index in the model.
  public var transmitter: Int
  /// The number of the adapter that heard it.
  public var radio: Int
  /// The RSSI in dBm.
  public var rssi: Double

  public init(transmitter: Int, radio: Int = 0, rssi: Double) {
    self.transmitter = transmitter
    self.radio = radio
    self.rssi = rssi
  }
}

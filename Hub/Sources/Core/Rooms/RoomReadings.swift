/// The levels at which the devices of a site hear one beacon, and the silence of the others.
struct RoomReadings {
  /// The levels of the devices that hear the beacon, without those that are silent for all beacons.
  var list: [(slot: Int32, level: Float)] = []
  /// The time in µs.
  let time: Int64
  /// The level below which a device may hear the beacon without being listed.
  var limit = RoomReadings.sensitivity
  /// A bit for each listed device.
  private var listed = SIMD4<UInt64>(repeating: 0)

  /// The level in dBm below which a receiver hears nothing.
  static let sensitivity: Float = -95

  init(time: Int64) {
    self.time = time
  }

  mutating func append(_ level: Float, slot: Int32) {
    list.append((slot, level))
    listed[Int(slot) >> 6] |= 1 << UInt64(slot & 63)
  }

  func contains(_ slot: Int32) -> Bool { listed[Int(slot) >> 6] >> UInt64(slot & 63) & 1 == 1 }
}

/// The offsets of the devices: how much louder each hears than the others, in dB, by its receiver, antenna and place.
///
/// The filter learns them from beacons that change rooms, by the mean difference of the levels of the devices A and B. In the room of A it is
/// the gap between the rooms plus the difference of the offsets. In the room of B it is minus the gap plus the same. The middle of both is the
/// difference of the offsets. A Kalman filter with one independent state per device takes each as a measurement. A
/// beacon that lies still teaches nothing, however long.
struct DeviceOffsets: Sendable {
  struct Offset: Hashable, Sendable {
    var value: Float = 0
    var variance = firstVariance
  }

  /// One sigma of 5 dB at first: receivers differ by 3.5 dB, and the places where they hang by as much.
  static let firstVariance: Float = 25
  /// The variance of one measurement: the places in the two rooms where the beacon was.
  private static let measurement: Float = 49
  /// The variance that a device never falls below, so that it follows a change of its place within some hundred visits.
  private static let least: Float = 0.5
  /// The greatest offset that a device can have.
  static let greatest: Float = 20

  /// Takes the middle of the differences, `difference` = level of `a` - level of `b`.
  static func learn(_ difference: Float, _ a: inout Offset, _ b: inout Offset) {
    guard difference.isFinite else { return }
    let innovation = difference - (a.value - b.value)
    let total = a.variance + b.variance + measurement
    a.value = Swift.max(-greatest, Swift.min(greatest, a.value + a.variance / total * innovation))
    b.value = Swift.max(-greatest, Swift.min(greatest, b.value - b.variance / total * innovation))
    a.variance = Swift.max(least, a.variance - a.variance * a.variance / total)
    b.variance = Swift.max(least, b.variance - b.variance * b.variance / total)
  }
}

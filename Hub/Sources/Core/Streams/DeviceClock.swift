/// Judges the times of devices, whose clocks may be wrong.
public enum DeviceClock {
  /// The oldest message that a device sends late, in milliseconds: a week.
  static let longestDelay: Int64 = 7 * 86_400_000
  /// The tolerated advance of a device's clock in milliseconds: a minute.
  static let largestAdvance: Int64 = 60_000

  /// Returns the time of a message: that of the device if it is possible, that of the hub otherwise. All are milliseconds since 1970.
  public static func time(ofDevice device: Int64, received: Int64) -> Int64 {
    (received - longestDelay...received + largestAdvance).contains(device) ? device : received
  }
}

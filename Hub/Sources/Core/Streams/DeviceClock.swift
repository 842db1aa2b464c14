/// Judges the times of devices, whose clocks may be wrong.
public enum DeviceClock {
  /// The oldest message that a device sends late, in milliseconds: a week.
  static let longestDelay: Int64 = 7 * 86_400_000
  /// The delay up to which a message counts as live, in milliseconds. The clocks of devices differ by as much.
  static let liveDelay: Int64 = 5000

  /// Returns the time of a message in milliseconds since 1970.
  ///
  /// A live message, and one with an impossible time of the device, has the time of the hub.
  /// A late message has the time of the device.
  public static func time(ofDevice device: Int64, received: Int64) -> Int64 {
    (received - longestDelay..<received - liveDelay).contains(device) ? device : received
  }
}

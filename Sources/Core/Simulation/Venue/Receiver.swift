/// One or several adapters of the device under test at one place.
public struct Receiver: Hashable, Sendable {
  public var position: VenuePosition
  /// The number of adapters.
  /// Shadowing is the same for all of them; fading and loss are independent.
  public var adapters: Int
  /// The offset in dB that is added to every RSSI: negative for an antenna in a metal case.
  public var offset: Double
  /// The weakest level in dBm that the receiver can detect.
  /// Bluetooth requires −70 or better (Core Specification 5.4, Volume 6, Part A, 4.1); common chips reach −90 to −97.
  public var sensitivity: Double

  public static let defaultSensitivity = -95.0

  public init(position: VenuePosition, adapters: Int = 1, offset: Double = 0, sensitivity: Double = defaultSensitivity) {
    self.position = position
    self.adapters = adapters
    self.offset = offset
    self.sensitivity = sensitivity
  }
}

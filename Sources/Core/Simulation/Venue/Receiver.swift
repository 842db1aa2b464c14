/// One or several adapters at one place, all of the device whose engine is tried.
public struct Receiver: Hashable, Sendable {
  public var whereabouts: Whereabouts
  /// How many adapters it has. All hear what stands in the way alike, and fade and lose each on its own.
  public var adapters: Int
  /// Added to every RSSI in dB: negative for an antenna in a metal case.
  public var offset: Double
  /// The weakest level in dBm that it makes out. Bluetooth asks for −70 at least (Core Specification 5.4, Volume 6, Part A, 4.1); common chips have −90 to −97.
  public var sensitivity: Double

  public static let defaultSensitivity = -95.0

  public init(whereabouts: Whereabouts, adapters: Int = 1, offset: Double = 0, sensitivity: Double = defaultSensitivity) {
    self.whereabouts = whereabouts
    self.adapters = adapters
    self.offset = offset
    self.sensitivity = sensitivity
  }
}

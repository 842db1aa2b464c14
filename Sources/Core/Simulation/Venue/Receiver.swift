import Instants

/// One or several adapters of the device under test at one place.
public struct Receiver: Hashable, Sendable {
  public var position: VenuePosition
  /// The height above the floor in metres.
  public var height: Double
  /// The number of adapters.
  /// Shadowing is the same for all of them; fading and loss are independent.
  public var adapters: Int
  /// The offset in dB that is added to every RSSI: negative for an antenna in a metal case.
  public var offset: Double
  /// The weakest level in dBm that the receiver can detect.
  /// Bluetooth requires −70 or better (Core Specification 5.4, Volume 6, Part A, 4.1); common chips reach −90 to −97.
  public var sensitivity: Double
  /// The loss at the receiver, on top of the loss of each beacon.
  public var loss: BurstLoss
  /// The part of the time in which the receiver scans; nil: always.
  public var duty: ScanDuty?

  public static let defaultSensitivity = -95.0
  /// The height in metres at which a visitor carries a receiver.
  public static let carriedHeight = 1.5

  public init(
    position: VenuePosition, height: Double = 0, adapters: Int = 1, offset: Double = 0, sensitivity: Double = defaultSensitivity,
    loss: BurstLoss = .none, duty: ScanDuty? = nil
  ) {
    self.position = position
    self.height = height
    self.adapters = adapters
    self.offset = offset
    self.sensitivity = sensitivity
    self.loss = loss
    self.duty = duty
  }
}

/// A scan that is on for a window at the beginning of each interval.
/// Core Specification 5.4, Volume 6, Part B, 4.4.3.
public struct ScanDuty: Hashable, Sendable {
  public var window: Span
  /// The time from the beginning of one window to that of the next, at least the window.
  public var interval: Span

  public init(window: Span, interval: Span) {
    self.window = window
    self.interval = interval
  }

  /// Returns whether the scan is on at a time since the beginning.
  func isOn(at time: Span) -> Bool { time.microseconds % interval.microseconds < window.microseconds }
}

import Instants

/// The clock of `Location.received`: that of this machine, or of a recording.
public protocol LocationClock: AnyObject {
  var now: Instant { get }
  /// The speed relative to the scheduler's clock.
  var speed: Double { get }
  /// Converts a time of this clock to time since the Unix epoch.
  func wallClock(_ instant: Instant) -> Instant
}

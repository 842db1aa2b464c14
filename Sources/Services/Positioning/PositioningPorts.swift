import Instants
import LocationArbitration
import Locations
import Motion

/// A source of this device's location.
///
/// It is off until it is started. While it is on, it reconnects to its receiver by itself.
public protocol LocationSource: AnyObject {
  var ability: SourceAbility { get }
  var health: LocationHealth { get }
  var counts: LocationCounts { get }
  /// The latest output of the source's compass; nil without a current one.
  var heading: HeadingReport? { get }
  /// Receives each valid fix.
  var onLocation: (Location) -> Void { get set }
  /// Runs after `health` has changed.
  var onHealthChange: (LocationHealth) -> Void { get set }

  /// Switches the source on, or requests another accuracy of a source that is on. Fixes follow after the call has returned.
  func start(for accuracy: DesiredAccuracy)
  /// Switches the source off. No fix follows. Has no effect on a source that is off.
  func stop()
}

/// A receiver that may have a compass.
public protocol CompassSource: LocationSource {
  /// Receives each heading while the source is on.
  var onHeading: (HeadingReading) -> Void { get set }
}

/// The sensors that show the motion of this device: an accelerometer, and a gyroscope where there is one.
///
/// They are read only while `isOn`. Without an accelerometer nothing is called.
public protocol MotionSensors: AnyObject {
  /// Receives the samples since the last call, once a second and in order of time.
  var onSamples: ([MotionSample]) -> Void { get set }
  var isOn: Bool { get set }
}

/// The clock of `Location.received`: that of this machine, or of a recording.
public protocol LocationClock: AnyObject {
  var now: Instant { get }
  /// The speed relative to the scheduler's clock.
  var speed: Double { get }
  /// Converts a time of this clock to time since the Unix epoch.
  func wallClock(_ instant: Instant) -> Instant
}

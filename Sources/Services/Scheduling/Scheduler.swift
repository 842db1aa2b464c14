import Instants

/// The clocks and timers of the thread that decides.
///
/// The event loop implements it. Tests implement it with a clock that they advance.
public protocol Scheduler: AnyObject {
  associatedtype Deadline: SchedulerTimer

  /// The time of a clock that cannot be set; it may stand still while the machine sleeps.
  var now: Instant { get }
  /// The time since the Unix epoch.
  var wallClock: Instant { get }
  /// Creates a timer that is not armed yet. It fires as long as it is held.
  func timer(_ body: @escaping () -> Void) -> Deadline
  /// Calls `body` once, after the present callback has returned.
  func enqueue(_ body: @escaping () -> Void)
}

/// A timer that fires once each time it is armed; arming again moves the deadline.
public protocol SchedulerTimer: AnyObject {
  /// The deadline; nil while the timer is not armed.
  var due: Instant? { get }
  /// Sets the deadline on the scheduler's clock: an instant in the past fires soon, and `.never` disarms.
  func arm(at due: Instant)
}

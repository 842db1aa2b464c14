import Instants
import Scheduling

extension Loop: Scheduler {
  /// Creates a timer that is not armed yet.
  public func timer(_ body: @escaping () -> Void) -> Timer {
    Timer(loop: self, body: body)
  }

  public var wallClock: Instant { WallClock.now }
}

/// A timer that fires once each time it is armed; arming again moves the deadline.
/// Thousands are cheap: a timer needs no descriptor, and arming is O(log n).
public final class Timer: LoopSource, SchedulerTimer {
  private let loop: Loop
  private let id: UInt64
  private let body: () -> Void

  fileprivate init(loop: Loop, body: @escaping () -> Void) {
    self.loop = loop
    self.body = body
    id = loop.makeID()
    loop.register(self, as: id)
  }

  deinit {
    loop.unregister(id)
  }

  /// The deadline; nil while the timer is not armed.
  public var due: Instant? { loop.due(of: id) }

  /// Sets the deadline: an instant in the past fires in the loop's next turn, and `.never` disarms.
  public func arm(at due: Instant) {
    due == .never ? disarm() : loop.arm(id, at: due)
  }

  public func arm(after span: Span) {
    arm(at: loop.now + span)
  }

  /// Sets the deadline to the end of the next waiting time.
  public func arm(after backoff: inout Backoff) {
    var random = SystemRandomNumberGenerator()
    arm(after: backoff.next(using: &random))
  }

  public func disarm() {
    loop.disarm(id)
  }

  func fire(_ events: IOEvents) {
    body()
  }
}

import Instants
import Scheduling

/// A scheduler whose clock pauses until a test advances it.
public final class ManualScheduler: Scheduler {
  public private(set) var now: Instant
  /// The time since the Unix epoch, which a test may set apart from `now`.
  public var wallClock: Instant
  private var timers: [WeakTimer] = []
  private var queue: [() -> Void] = []

  private struct WeakTimer {
    weak var timer: ManualTimer?
  }

  public init(at now: Instant = Instant(microseconds: 1_000_000_000), wallClock: Instant = Instant(microseconds: 1_800_000_000_000_000)) {
    self.now = now
    self.wallClock = wallClock
  }

  public func timer(_ body: @escaping () -> Void) -> ManualTimer {
    let timer = ManualTimer(body)
    timers.append(WeakTimer(timer: timer))
    return timer
  }

  public func enqueue(_ body: @escaping () -> Void) {
    queue.append(body)
  }

  /// Calls the enqueued closures and the due timers.
  public func settle() {
    while true {
      if !queue.isEmpty {
        queue.removeFirst()()
      } else if let due = earliest, due.due.map({ $0 <= now }) == true {
        due.fire()
      } else {
        return
      }
    }
  }

  /// Advances both clocks, and fires each timer at its deadline.
  public func advance(by span: Span) {
    let end = now + span
    settle()
    while let due = earliest?.due, due <= end {
      pass(to: max(due, now))
      settle()
    }
    pass(to: end)
  }

  private func pass(to time: Instant) {
    wallClock = wallClock + (time - now)
    now = time
  }

  /// The next deadline of a timer; `.never` if none is armed.
  public var nextDue: Instant { earliest?.due ?? .never }

  private var earliest: ManualTimer? {
    timers.removeAll { $0.timer == nil }
    return timers.compactMap(\.timer).filter { $0.due != nil }.min { $0.due ?? .never < $1.due ?? .never }
  }
}

public final class ManualTimer: SchedulerTimer {
  public private(set) var due: Instant?
  private let body: () -> Void

  fileprivate init(_ body: @escaping () -> Void) {
    self.body = body
  }

  public func arm(at due: Instant) {
    self.due = due == .never ? nil : due
  }

  fileprivate func fire() {
    due = nil
    body()
  }
}

import Instants
import Positioning
import Scheduling

/// The alarm of a recording or a simulation, whose clock may jump from one record to the next.
public final class ScheduledAlarm: DepartureAlarm {
  public var onAlarm: () -> Void = {}
  private let scheduler: any Scheduler
  private let clock: any LocationClock
  private var timer: (any SchedulerTimer)?
  /// The time at which the alarm fires, and that time on the clock of the scheduler while the recording does not jump.
  private var due: (time: Instant, at: Instant)?

  /// The smallest jump that is detected. A smaller one delays or advances the alarm by as much.
  private static let jump = Span.seconds(1)

  /// - Parameter clock: the clock of the recording.
  public init(_ scheduler: any Scheduler, _ clock: any LocationClock) {
    (self.scheduler, self.clock) = (scheduler, clock)
    timer = scheduler.timer { [unowned self] in fire() }
  }

  public var now: Instant { clock.wallClock(clock.now) }

  public func arm(at time: Instant) {
    guard time != .never else {
      due = nil
      timer?.arm(at: .never)
      return
    }
    let at = instant(of: time)
    due = (time, at)
    timer?.arm(at: at)
  }

  /// Takes a new time of the recording, which may be far from the last one.
  public func clockChanged() {
    guard let due else { return }
    let at = instant(of: due.time)
    if due.time <= now || at - due.at > Self.jump {
      // The time has come, or the clock went back, as if it was set.
      fire()
    } else if due.at - at > Self.jump {
      arm(at: due.time)
    }
  }

  private func instant(of time: Instant) -> Instant { scheduler.now + (time - now) * (1 / clock.speed) }

  private func fire() {
    due = nil
    onAlarm()
  }
}

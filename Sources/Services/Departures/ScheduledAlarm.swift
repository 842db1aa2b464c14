import Instants
import Positioning
import Scheduling

/// The alarm of a recording or a simulation, whose clock is not set and does not stop.
public final class ScheduledAlarm: DepartureAlarm {
  public var onAlarm: () -> Void = {}
  private let scheduler: any Scheduler
  private let clock: any LocationClock
  private var timer: (any SchedulerTimer)?

  /// - Parameter clock: the clock of the recording.
  public init(_ scheduler: any Scheduler, _ clock: any LocationClock) {
    (self.scheduler, self.clock) = (scheduler, clock)
    timer = scheduler.timer { [unowned self] in onAlarm() }
  }

  public var now: Instant { clock.wallClock(clock.now) }

  public func arm(at time: Instant) {
    timer?.arm(at: time == .never ? .never : scheduler.now + (time - now) * (1 / clock.speed))
  }
}

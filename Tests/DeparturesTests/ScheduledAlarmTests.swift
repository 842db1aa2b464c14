import Departures
import Instants
import Positioning
import TestSupport
import Testing

/// The alarm on the clock of a recording.
@Suite struct ScheduledAlarmTests {
  private final class JumpingClock: LocationClock {
    let scheduler: ManualScheduler
    let speed = 10.0
    var offset = Span.zero

    init(_ scheduler: ManualScheduler) { self.scheduler = scheduler }

    var now: Instant { Instant(microseconds: 0) + (scheduler.now - Instant(microseconds: 0)) * speed + offset }

    func wallClock(_ instant: Instant) -> Instant { instant }
  }

  private let scheduler = ManualScheduler()
  private let clock: JumpingClock
  private let alarm: ScheduledAlarm

  init() {
    clock = JumpingClock(scheduler)
    alarm = ScheduledAlarm(scheduler, clock)
  }

  @Test func `an alarm follows the speed of the recording`() {
    var rings = 0
    alarm.onAlarm = { rings += 1 }
    alarm.arm(at: alarm.now + .seconds(100))
    scheduler.advance(by: .seconds(9))
    #expect(rings == 0)
    scheduler.advance(by: .seconds(1))
    #expect(rings == 1)
  }

  @Test func `a jump past the time of the alarm fires it at once, a jump towards it shortens the wait, and a jump back fires it`() {
    var rings = 0
    alarm.onAlarm = { rings += 1 }
    alarm.arm(at: alarm.now + .seconds(1000))
    clock.offset = .seconds(900)
    alarm.clockChanged()
    #expect(rings == 0)
    scheduler.advance(by: .seconds(10))
    #expect(rings == 1)
    alarm.arm(at: alarm.now + .seconds(1000))
    clock.offset = .seconds(5000)
    alarm.clockChanged()
    #expect(rings == 2)
    alarm.arm(at: alarm.now + .seconds(1000))
    clock.offset = .zero
    alarm.clockChanged()
    #expect(rings == 3)
    alarm.clockChanged()
    #expect(rings == 3)
  }
}

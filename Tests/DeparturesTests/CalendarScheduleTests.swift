import Departures
import Instants
import TestSupport
import Testing

@Suite struct CalendarScheduleTests {
  private let clock = ManualScheduler()
  private var schedule = CalendarSchedule(retry: .seconds(60))

  /// Advances the clock to the deadline, and begins a reading there.
  private mutating func read(after span: Span, _ location: SourceLocation = #_sourceLocation) {
    #expect(schedule.deadline == clock.now + span, sourceLocation: location)
    clock.advance(by: span)
    #expect(schedule.begin(at: clock.now) == true, sourceLocation: location)
  }

  @Test mutating func `a calendar is read when it is requested, and a second after its last change`() {
    #expect(schedule.deadline == .never && schedule.begin(at: clock.now))
    schedule.end(isCertain: true, at: clock.now)
    #expect(schedule.deadline == .never)
    schedule.change(at: clock.now)
    clock.advance(by: .milliseconds(900))
    schedule.change(at: clock.now)
    read(after: .seconds(1))
    #expect(schedule.deadline == .never)
  }

  @Test mutating func `a calendar that changes all the time is read ten seconds after the first change`() {
    let begin = clock.now
    while clock.now - begin < .seconds(9.5) {
      schedule.change(at: clock.now)
      #expect(schedule.deadline > clock.now)
      clock.advance(by: .milliseconds(500))
    }
    schedule.change(at: clock.now)
    #expect(schedule.deadline == begin + .seconds(10))
    read(after: .milliseconds(500))
    // The next change begins a new time.
    schedule.end(isCertain: true, at: clock.now)
    schedule.change(at: clock.now)
    read(after: .seconds(1))
  }

  @Test(arguments: [true, false])
  mutating func `a change while the calendar is read is followed by another reading, also if the first one failed`(isCertain: Bool) {
    #expect(schedule.begin(at: clock.now) == true)
    schedule.change(at: clock.now)
    #expect(schedule.deadline == .never)
    schedule.end(isCertain: isCertain, at: clock.now)
    read(after: .seconds(1))
    #expect(schedule.begin(at: clock.now) == false)
    schedule.end(isCertain: isCertain, at: clock.now)
    read(after: .seconds(1))
  }

  @Test mutating func `a calendar that cannot be read is tried less and less often, at least once an hour`() {
    #expect(schedule.begin(at: clock.now) == true)
    for minutes in [1.0, 2, 4, 8, 16, 32, 60, 60] {
      schedule.end(isCertain: false, at: clock.now)
      read(after: .seconds(minutes * 60))
    }
    schedule.end(isCertain: true, at: clock.now)
    #expect(schedule.deadline == .never && schedule.begin(at: clock.now))
    schedule.end(isCertain: false, at: clock.now)
    read(after: .seconds(60))
  }

  @Test mutating func `a change ends the pause of a calendar that cannot be read`() {
    #expect(schedule.begin(at: clock.now) == true)
    schedule.end(isCertain: false, at: clock.now)
    schedule.change(at: clock.now)
    read(after: .seconds(1))
  }
}

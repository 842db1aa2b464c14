import DeliveryScheduling
import Events
import Instants
import Records
import TestSupport
import Testing

@Suite struct EventAgeTests {
  /// 2026-11-21.
  private let now = Instant(microseconds: 1_795_219_200_000_000)

  private func event(_ sequence: UInt64, at time: Instant, isSynchronised: Bool?) -> Event {
    Event.of([
      "sequence": .count(sequence), "journal": .text("j"), "time": .time(time), "clockSynchronised": isSynchronised.map { .flag($0) },
    ])
  }

  private func ages(_ events: [Event], isClockSet: Bool = true) -> [Span] {
    let ages = EventAges(events, at: now, isClockSet: isClockSet)
    return events.map(ages.age)
  }

  @Test func `the age of an event follows from its time, and is never negative`() {
    let events = [
      event(1, at: now + .seconds(-60), isSynchronised: true), event(2, at: now + .seconds(-5), isSynchronised: nil),
      event(3, at: now + .seconds(5), isSynchronised: true),
    ]
    #expect(ages(events) == [.seconds(60), .seconds(5), .zero])
  }

  @Test func `an event from before the clock was set is as old as the next event with a valid time, or new`() {
    let start = Instant(microseconds: 0)
    let events = [
      event(1, at: start + .seconds(10), isSynchronised: false), event(2, at: start + .seconds(20), isSynchronised: false),
      event(3, at: now + .seconds(-3600), isSynchronised: true), event(4, at: start + .seconds(30), isSynchronised: false),
    ]
    #expect(ages(events) == [.seconds(3600), .seconds(3600), .seconds(3600), .zero])
  }

  @Test func `the ages of events follow their own times while the clock is unset`() {
    #expect(ages([event(1, at: now + .seconds(-60), isSynchronised: false)], isClockSet: false) == [.seconds(60)])
  }
}

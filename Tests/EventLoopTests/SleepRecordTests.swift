import Instants
import Testing

@testable import EventLoop

@Suite struct SleepRecordTests {
  func instant(_ seconds: Double) -> Instant { Instant(microseconds: 0) + .seconds(seconds) }

  @Test func `times before a sleep are older by its length, and times after it are unchanged`() {
    var record = SleepRecord(total: .seconds(100))
    record.note(total: .seconds(100), at: instant(10))
    record.note(total: .seconds(3700), at: instant(20))
    #expect(record.asleep(since: instant(15)) == .seconds(3600))
    #expect(record.asleep(since: instant(20)) == .zero)
  }

  @Test func `several sleeps add up`() {
    var record = SleepRecord(total: .zero)
    for (hour, time) in [(1, 10.0), (2, 20), (3, 30)] { record.note(total: .seconds(Double(hour) * 3600), at: instant(time)) }
    #expect([5.0, 15, 25, 35].map { record.asleep(since: instant($0)).seconds } == [10_800, 7200, 3600, 0])
  }

  @Test func `the delay between reading two clocks does not look like a sleep`() {
    var record = SleepRecord(total: .seconds(1))
    for step in 1..<1000 { record.note(total: .seconds(1) + Span(microseconds: Int64(step % 900)), at: instant(Double(step))) }
    #expect(record.asleep(since: instant(0)) == .zero)
  }

  @Test func `ten thousand sleeps do not grow the record, and the last ones stay exact`() {
    var record = SleepRecord(total: .zero)
    for night in 1...10_000 { record.note(total: .seconds(Double(night)), at: instant(Double(night))) }
    #expect(record.asleep(since: instant(9990)) == .seconds(10))
    #expect(record.asleep(since: instant(0)) == .seconds(64))
  }
}

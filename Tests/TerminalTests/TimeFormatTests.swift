import Instants
import Testing

@testable import Terminal

@Suite struct TimeFormatTests {
  @Test func `a UTC time ends with a Z, and a local time has no suffix and may be on another day`() {
    let kolkata = TimeFormat.fixed(.seconds(19_800))
    let late = Instant(rfc3339: "2026-11-21T23:59:59.999Z") ?? .never
    #expect(TimeFormat.utc.millisecond(late) == "2026-11-21 23:59:59.999Z")
    #expect(kolkata.millisecond(late) == "2026-11-22 05:29:59.999")
    #expect(kolkata.second(late) == "2026-11-22 05:29:59" && kolkata.clock(late) == "05:29:59" && kolkata.day(late) == "2026-11-22")
    for format in [TimeFormat.utc, kolkata] {
      #expect(format.millisecond(late).count == format.millisecondWidth)
      #expect(format.second(late).count == format.secondWidth && format.clock(late).count == format.clockWidth)
    }
  }
}

@Suite struct TimeArgumentTests {
  /// 00:30 on Sunday, 22 November 2026, in Berlin, and 23:30 on Saturday in UTC.
  private let now = time("2026-11-21T23:30:00Z")
  /// Central European Time, with the end of summer time in 2026.
  private let berlin = TimeFormat.zone { $0 < time("2026-10-25T01:00:00Z") ? .seconds(7200) : .seconds(3600) }

  @Test(arguments: [
    ("2h", "2026-11-21T21:30:00Z", "2026-11-21T21:30:00Z"), ("2026-11-21T08:00:00+05:30", "2026-11-21T02:30:00Z", "2026-11-21T02:30:00Z"),
    ("2026-11-21", "2026-11-20T23:00:00Z", "2026-11-21T00:00:00Z"), ("2026-10-24", "2026-10-23T22:00:00Z", "2026-10-24T00:00:00Z"),
    ("2026-11-21 08:15", "2026-11-21T07:15:00Z", "2026-11-21T08:15:00Z"),
    ("2026-11-21T08:15:30", "2026-11-21T07:15:30Z", "2026-11-21T08:15:30Z"),
    ("today", "2026-11-21T23:00:00Z", "2026-11-21T00:00:00Z"), ("Yesterday", "2026-11-20T23:00:00Z", "2026-11-20T00:00:00Z"),
    ("sunday", "2026-11-21T23:00:00Z", "2026-11-15T00:00:00Z"), ("sat", "2026-11-20T23:00:00Z", "2026-11-21T00:00:00Z"),
    ("monday", "2026-11-15T23:00:00Z", "2026-11-16T00:00:00Z"),
  ])
  func `a time is read in local time or in UTC`(text: String, local: String, utc: String) throws {
    let argument = try #require(TimeArgument(text))
    #expect(argument.instant(now: now, in: berlin) == time(local))
    #expect(argument.instant(now: now, in: .utc) == time(utc))
  }

  @Test(arguments: ["soon", "", "2026-02-30", "2026-11-21 25:00", "21.11.2026", "mo", "-2h", "tomorrow"])
  func `malformed text is not a time`(text: String) {
    #expect(TimeArgument(text) == nil)
  }

  @Test func `a day starts with its first instant, even where clocks change at midnight`() {
    // Beirut skips the hour after midnight on 29 March 2026, and Havana has it twice on 1 November.
    let beirut = TimeFormat.zone { $0 < time("2026-03-28T22:00:00Z") ? .seconds(7200) : .seconds(10_800) }
    #expect(beirut.instant(shownAs: time("2026-03-29T00:00:00Z")) == time("2026-03-28T22:00:00Z"))
    let havana = TimeFormat.zone { $0 < time("2026-11-01T05:00:00Z") ? .seconds(-14_400) : .seconds(-18_000) }
    #expect(havana.instant(shownAs: time("2026-11-01T00:00:00Z")) == time("2026-11-01T04:00:00Z"))
  }
}

private func time(_ text: String) -> Instant { Instant(rfc3339: text) ?? .never }

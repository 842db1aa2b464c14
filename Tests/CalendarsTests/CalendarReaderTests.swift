import Departures
import EventLoop
import Foundation
import Instants
import TestSupport
import Testing

@testable import Calendars

/// iCalendar files.
@Suite(.serialized) struct CalendarReaderTests {
  /// Sunday 2026-03-22 12:00 UTC: daylight saving begins on the 29th in Europe, and began on the 8th in New York.
  static let now = Instant(microseconds: 1_774_180_800_000_000)

  static func event(_ lines: String) -> String {
    "BEGIN:VEVENT\r\nUID:1\r\n\(lines.split(separator: "\n").joined(separator: "\r\n"))\r\nEND:VEVENT\r\n"
  }
  static func calendar(_ events: String) -> String { "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\n\(events)END:VCALENDAR\r\n" }

  static func read(_ text: String, at now: Instant = now) throws -> CalendarContent {
    let folder = try TemporaryDirectory()
    let path = folder.file("tour.ics")
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return CalendarReader.read(path, at: now)
  }

  private static func hours(_ content: CalendarContent) -> [String] {
    content.entries.map { String($0.start.rfc3339.prefix(16)) }
  }

  @Test func `an event has its time, title and place`() throws {
    let content = try Self.read(
      Self.calendar(Self.event("SUMMARY:Tour\\, for children\nLOCATION:Lodestone\nDTSTART:20260323T140000Z\nX-BEACONMON-PLACE:lodestone")))
    #expect(content.failure == nil && content.warnings.isEmpty, "\(content)")
    let occurrence = try #require(content.entries.first)
    #expect(occurrence.title == "Tour, for children" && occurrence.location == "Lodestone" && occurrence.place == "lodestone")
    #expect(Self.hours(content) == ["2026-03-23T14:00"])
  }

  @Test func `a recurring event in another time zone follows the daylight saving there`() throws {
    let content = try Self.read(
      Self.calendar(Self.event("SUMMARY:Tour\nLOCATION:Hall\nDTSTART;TZID=Europe/Berlin:20260101T150000\nRRULE:FREQ=DAILY")))
    // 15:00 in Berlin is 14:00 UTC until the 28th, and 13:00 from the 29th on.
    #expect(Self.hours(content).first == "2026-03-22T14:00" && content.entries.count == 8, "\(content)")
    #expect(Self.hours(content).contains("2026-03-28T14:00") && Self.hours(content).contains("2026-03-29T13:00"))
  }

  @Test func `the zone of a calendar takes precedence, and an unknown one is refused by name`() throws {
    let zone = """
      BEGIN:VTIMEZONE
      TZID:Our Time
      BEGIN:STANDARD
      DTSTART:19700101T000000
      TZOFFSETFROM:+0300
      TZOFFSETTO:+0300
      END:STANDARD
      END:VTIMEZONE

      """.split(separator: "\n").joined(separator: "\r\n") + "\r\n"
    let event = Self.event("SUMMARY:Tour\nLOCATION:Hall\nDTSTART;TZID=Our Time:20260323T150000")
    #expect(Self.hours(try Self.read(Self.calendar(zone + event))) == ["2026-03-23T12:00"])
    let content = try Self.read(Self.calendar(event))
    let warning = "event \"Tour\": has the unknown time zone \"Our Time\"; write a name such as Europe/Berlin, or add its VTIMEZONE"
    #expect(content.entries.isEmpty && content.warnings == [warning])
  }

  @Test(arguments: [
    ("W. Europe Standard Time", "2026-03-23T14:00"), ("Eastern Standard Time", "2026-03-23T19:00"),
    ("Tokyo Standard Time", "2026-03-23T06:00"),
  ])
  func `a zone may have the name that Windows gives it`(name: String, hour: String) throws {
    let content = try Self.read(Self.calendar(Self.event("SUMMARY:Tour\nLOCATION:Hall\nDTSTART;TZID=\(name):20260323T150000")))
    #expect(Self.hours(content) == [hour] && content.warnings.isEmpty, "\(content)")
  }

  @Test func `excluded, moved and cancelled occurrences do not occur, and added ones do`() throws {
    let series = "SUMMARY:Tour\nLOCATION:Hall\nDTSTART;TZID=Europe/Berlin:20260323T150000\nRRULE:FREQ=DAILY;COUNT=4"
    let excluded =
      "EXDATE;TZID=Europe/Berlin:20260324T150000\nRDATE;TZID=Europe/Berlin:20260328T150000\nRDATE;TZID=Europe/Berlin:20260328T170000"
    let moved = "SUMMARY:Tour\nLOCATION:Hall\nRECURRENCE-ID;TZID=Europe/Berlin:20260325T150000\nDTSTART;TZID=Europe/Berlin:20260325T180000"
    let cancelled =
      "SUMMARY:Tour\nLOCATION:Hall\nRECURRENCE-ID:20260326T140000Z\nDTSTART;TZID=Europe/Berlin:20260326T150000\nSTATUS:CANCELLED"
    let content = try Self.read(Self.calendar([series + "\n" + excluded, moved, cancelled].map(Self.event).joined()))
    #expect(
      Self.hours(content).sorted() == ["2026-03-23T14:00", "2026-03-25T17:00", "2026-03-28T14:00", "2026-03-28T16:00"],
      "\(Self.hours(content))")
  }

  @Test func `a time without a zone is in the zone of this machine, and an event of a whole day is not an appointment`() throws {
    let floating = Self.event("SUMMARY:Tour\nLOCATION:Hall\nDTSTART:20260323T150000")
    let day = Self.event("SUMMARY:Fair\nLOCATION:Hall\nDTSTART;VALUE=DATE:20260324")
    let content = try Self.read(Self.calendar(floating + day))
    var local = tm()
    (local.tm_year, local.tm_mon, local.tm_mday, local.tm_hour, local.tm_isdst) = (126, 2, 23, 15, -1)
    #expect(content.entries.map(\.start) == [Instant(microseconds: Int64(mktime(&local)) * 1_000_000)])
  }

  @Test func `events without a place, in the past and far ahead are ignored`() throws {
    let events = [
      "SUMMARY:a\nDTSTART:20260323T150000Z", "SUMMARY:b\nLOCATION:Hall\nDTSTART:20260320T150000Z",
      "SUMMARY:c\nLOCATION:Hall\nDTSTART:20270320T150000Z",
      "SUMMARY:d\nLOCATION:Hall\nDTSTART:20000101T150000Z\nRRULE:FREQ=DAILY;UNTIL=20100101T000000Z",
    ]
    let content = try Self.read(Self.calendar(events.map(Self.event).joined()))
    #expect(content == CalendarContent(), "\(content)")
  }

  @Test func `a rule that never ends, or matches nothing, is refused by name within seconds`() throws {
    let bombs = [
      "RRULE:FREQ=SECONDLY", "RRULE:FREQ=MINUTELY;INTERVAL=1", "RRULE:FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30",
      "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "RRULE:FREQ=HOURLY",
    ]
    for bomb in bombs {
      let start = Date()
      let content = try Self.read(
        Self.calendar(Self.event("SUMMARY:Bomb\nLOCATION:Hall\nDTSTART:19700101T000000Z\n\(bomb)")))
      #expect(Date().timeIntervalSince(start) < 25, "\(bomb)")
      #expect(content.failure == nil && content.entries.count < CalendarReader.mostOccurrences, "\(bomb): \(content)")
      if !content.warnings.isEmpty { #expect(content.warnings[0].hasPrefix("event \"Bomb\""), "\(content.warnings)") }
      if bomb.contains("SECONDLY") { #expect(content.warnings[0].contains("more often than once an hour")) }
    }
  }

  @Test func `a calendar with too many events, octets or occurrences is refused with the reason or cut with a warning`() throws {
    let one = Self.event("SUMMARY:Tour\nLOCATION:Hall\nDTSTART:20260323T150000Z")
    let many = try Self.read(Self.calendar(String(repeating: one, count: 10_001)))
    #expect(many.failure == "has 10001 events; at most 10000 are allowed: export fewer events" && many.entries.isEmpty)
    let large = try Self.read(Self.calendar(String(repeating: one, count: 100_000)))
    #expect(large.failure?.contains("octets; at most 4194304 are allowed") ?? false, "\(large.failure ?? "")")
    let full = try Self.read(Self.calendar(String(repeating: one, count: 600)))
    #expect(full.entries.count == CalendarReader.mostOccurrences && full.warnings.count == 1)
  }

  @Test func `a missing file, a folder, an empty file and a file that is not a calendar are refused by name`() throws {
    #expect(
      CalendarReader.read("/nonexistent/tour.ics", at: Self.now).failure?
        .hasPrefix("cannot be opened: No such file or directory; correct the path") ?? false)
    #expect(CalendarReader.read("/nonexistent/tour.ics", at: Self.now).isMissing)
    #expect(!CalendarReader.read("/tmp", at: Self.now).isMissing)
    #expect(CalendarReader.read("/tmp", at: Self.now).failure == "is not a regular file; name an iCalendar file")
    for text in ["", "hello", "BEGIN:VEVENT\r\nEND:VEVENT\r\n", "\u{0}\u{1}\u{2}"] {
      #expect(try Self.read(text).failure == "is not an iCalendar file; export the calendar as .ics", "\(text)")
    }
    let broken = try Self.read(Self.calendar(Self.event("SUMMARY:Tour\nLOCATION:Hall\nDTSTART:tomorrow")))
    #expect(broken.entries.isEmpty && !broken.warnings.isEmpty, "\(broken)")
  }

  @Test func `a title with control characters stays one line`() throws {
    let content = try Self.read(Self.calendar(Self.event("SUMMARY:a\\nb\u{1F}O\u{1F}1\nLOCATION:Hall\nDTSTART:20260323T150000Z")))
    #expect(content.entries.count == 1 && content.entries[0].title == "a b O 1", "\(content)")
  }
}

import Departures
import EventLoop
import Foundation
import Instants
import TestSupport
import Testing

@testable import Calendars

/// A calendar that changes while the daemon runs.
@Suite struct CalendarFileTests {
  private static let start = Instant(microseconds: WallClock.now.microseconds / 1_000_000 * 1_000_000) + .seconds(3600)

  private static func write(_ title: String, to path: String) throws {
    let stamp = start.rfc3339.filter { $0.isNumber || $0 == "T" }.prefix(15)
    let event = CalendarReaderTests.event("SUMMARY:\(title)\nLOCATION:Hall\nDTSTART:\(stamp)Z")
    try Data(CalendarReaderTests.calendar(event).utf8).write(to: URL(fileURLWithPath: path))
  }

  @Test func `a calendar is read when a link to it is created, and when its permissions change`() throws {
    let (folder, other) = (try TemporaryDirectory(), try TemporaryDirectory())
    let path = folder.file("tour.ics")
    try Self.write("a", to: other.file("real.ics"))
    let loop = try Loop()
    let file = CalendarFile(loop, path: path)
    var contents: [CalendarContent] = []
    file.onContent = { contents.append($0) }
    file.read()
    try loop.wait { contents.count == 1 }
    #expect(symlink(other.file("real.ics"), path) == 0)
    try loop.wait { contents.last?.entries.first?.title == "a" }
    let count = contents.count
    #expect(chmod(other.file("real.ics"), 0o400) == 0)
    try loop.wait { contents.count > count }
    #expect(contents.last?.entries.first?.title == "a")
  }

  @Test func `a calendar that cannot be read is read again, although no watch reports a change`() throws {
    let (folder, other) = (try TemporaryDirectory(), try TemporaryDirectory())
    let path = folder.file("tour.ics")
    #expect(symlink(other.file("real.ics"), path) == 0)
    let loop = try Loop()
    let file = CalendarFile(loop, path: path, retry: .milliseconds(500))
    var contents: [CalendarContent] = []
    file.onContent = { contents.append($0) }
    file.read()
    try loop.wait { contents.count == 1 }
    #expect(contents.last?.failure != nil)
    // Only the folder of the link is watched.
    try Self.write("a", to: other.file("real.ics"))
    try loop.wait { contents.last?.entries.first?.title == "a" }
  }

  @Test func `a calendar is read again when it is written, and when another file replaces it`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("tour.ics")
    let loop = try Loop()
    let file = CalendarFile(loop, path: path)
    var contents: [CalendarContent] = []
    file.onContent = { contents.append($0) }
    file.read()
    try loop.wait { contents.count == 1 }
    #expect(contents.last?.failure?.hasPrefix("cannot be opened: No such file or directory") ?? false)
    try Self.write("a", to: path)
    try loop.wait { contents.last?.entries.first?.title == "a" }
    #expect(contents.last?.entries.first?.start == Self.start)
    try Self.write("b", to: folder.file("new"))
    #expect(rename(folder.file("new"), path) == 0)
    try loop.wait { contents.last?.entries.first?.title == "b" }
  }

  @Test func `a calendar is read by the given clock`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("tour.ics")
    let event = CalendarReaderTests.event("SUMMARY:Tour\nLOCATION:Hall\nDTSTART:20010909T014640Z")
    try Data(CalendarReaderTests.calendar(event).utf8).write(to: URL(fileURLWithPath: path))
    let loop = try Loop()
    let file = CalendarFile(loop, path: path) { Instant(microseconds: 999_990_000_000_000) }
    var contents: [CalendarContent] = []
    file.onContent = { contents.append($0) }
    file.read()
    try loop.wait { contents.count == 1 }
    #expect(contents.first?.entries.first?.start == Instant(microseconds: 1_000_000_000_000_000), "\(contents)")
  }

  @Test func `a calendar that is released while it is read leaves no process`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("tour.ics")
    try Data(
      CalendarReaderTests.calendar(
        CalendarReaderTests.event("SUMMARY:Bomb\nLOCATION:Hall\nDTSTART:19700101T000000Z\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30")
      ).utf8
    ).write(to: URL(fileURLWithPath: path))
    let loop = try Loop()
    var file: CalendarFile? = CalendarFile(loop, path: path)
    file?.read()
    let children = { try String(contentsOfFile: "/proc/thread-self/children", encoding: .utf8).split(separator: " ").count }
    let before = try children()
    #expect(before > 0)
    file = nil
    try loop.wait { (try? children()) == before - 1 }
    withExtendedLifetime(file) {}
  }

  @Test func `the reason of a reading that ended early follows the signal`() {
    let slow = CalendarReader.content(Array("B\u{1F}Bomb\n".utf8), endedBy: SIGPROF)
    #expect(!slow.isComplete)
    #expect(slow.warnings == ["event \"Bomb\": takes more than 5 s, and the events behind it are ignored; simplify its RRULE"])
    let killed = CalendarReader.content([], endedBy: SIGKILL)
    #expect(killed.warnings.first?.contains("ended by signal 9") ?? false, "\(killed.warnings)")
  }
}

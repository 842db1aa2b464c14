import Instants
import Testing
import Visits

@Suite struct DailyVisitsSelectionTests {
  /// 24 November 2026, 23:30 UTC.
  private static let evening = Instant(microseconds: 1_795_563_000_000_000)
  private static let day = LocalCalendar.utc.day(of: evening)
  private static let days = [DailyVisits(.init(day: day, region: "door")), DailyVisits(.init(day: day + 1, region: "hall"))]

  private func selection(_ regions: String..., since: Instant? = nil, in calendar: LocalCalendar = .utc) -> DailyVisitsSelection {
    DailyVisitsSelection(since: since, regions: regions, in: calendar)
  }

  @Test func `only the selected regions are shown, and all without a selection`() {
    #expect(selection().visits(of: Self.days) == Self.days)
    #expect(selection("hall", "roof").visits(of: Self.days) == [Self.days[1]])
    #expect(selection("roof").visits(of: Self.days).isEmpty)
  }

  @Test func `a selection begins with the first region of its first day`() throws {
    #expect(selection().predecessor == nil)
    let utc = try #require(selection(since: Self.evening).predecessor)
    #expect(utc.day == Self.day && utc < Self.days[0].key)
    #expect(utc > DailyVisits.Key(day: Self.day - 1, region: "window"))
    let east = LocalCalendar { _ in .seconds(3600) }
    #expect(selection(since: Self.evening, in: east).predecessor?.day == Self.day + 1)
  }

  @Test func `the first selected region without a visit is reported as missing`() {
    #expect(selection("hall", "roof", "attic").missingRegion(in: Self.days) == "roof")
    #expect(selection("hall", "door").missingRegion(in: Self.days) == nil)
    #expect(selection().missingRegion(in: []) == nil)
  }

  @Test func `with a first day no region is reported as missing, because a few days without visits are not a mistake`() {
    #expect(selection("roof", since: Self.evening).missingRegion(in: Self.days) == nil)
  }
}

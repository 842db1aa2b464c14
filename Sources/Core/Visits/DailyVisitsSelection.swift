public import Instants

/// The days and regions whose visits a command shows.
public struct DailyVisitsSelection: Hashable, Sendable {
  /// The first day, as in `LocalCalendar`; nil for all days.
  private let firstDay: Int?
  /// The names of regions; empty for all.
  private let regions: [String]

  /// - Parameter since: a time of the first day; nil for all days.
  public init(since: Instant?, regions: [String], in calendar: LocalCalendar) {
    (firstDay, self.regions) = (since.map { calendar.day(of: $0) }, regions)
  }

  /// The key before the first selected one; nil for all days.
  public var predecessor: DailyVisits.Key? {
    // An empty region comes before all regions of its day.
    firstDay.map { DailyVisits.Key(day: $0, region: "") }
  }

  /// Returns the visits of the selected regions.
  public func visits(of days: [DailyVisits]) -> [DailyVisits] {
    days.filter { regions.isEmpty || regions.contains($0.key.region) }
  }

  /// Returns the first of the selected regions that has no visit on any day; nil if each has one.
  ///
  /// A few days without visits are not a mistake, so that no region is missing since a first day.
  public func missingRegion(in days: [DailyVisits]) -> String? {
    guard firstDay == nil else { return nil }
    return regions.first { name in !days.contains { $0.key.region == name } }
  }
}

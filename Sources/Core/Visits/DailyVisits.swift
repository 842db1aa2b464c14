public import Events
public import Instants

/// The visits of one region on one day, without the identity of a visitor.
public struct DailyVisits: Hashable, Sendable {
  /// Orders by day, and then by region.
  public struct Key: Hashable, Sendable, Comparable {
    /// The day, as in `LocalCalendar`.
    public var day: Int
    public var region: String

    public init(day: Int, region: String) {
      (self.day, self.region) = (day, region)
    }

    public static func < (a: Key, b: Key) -> Bool { (a.day, a.region) < (b.day, b.region) }
  }

  public var key: Key
  /// Nil for a kind that this version does not know.
  public var kind: RegionKind?
  /// The visits that began on this day.
  public var visits = 0
  /// The visits that ended on this day and whose length is known.
  public var ended = 0
  /// The time of this day that lay inside visits. The time of a visit counts when it ends.
  public var inside = Span.zero
  /// The longest visit that ended on this day.
  public var longest = Span.zero
  /// The visits that began in each hour of the day.
  public var visitsByHour = [Int](repeating: 0, count: 24)

  public init(_ key: Key, _ kind: RegionKind? = nil) {
    (self.key, self.kind) = (key, kind)
  }

  /// The hours in which most visits began, as runs of hours with equally many; empty without a visit.
  public var busiestHours: [Int] {
    let most = visitsByHour.max() ?? 0
    return most == 0 ? [] : visitsByHour.indices.filter { visitsByHour[$0] == most }
  }

  /// Adds the visits of another part of the same day.
  public mutating func add(_ other: DailyVisits) {
    kind = other.kind ?? kind
    visits = Self.sum(visits, other.visits)
    ended = Self.sum(ended, other.ended)
    inside = inside + other.inside
    longest = max(longest, other.longest)
    for hour in 0..<24 { visitsByHour[hour] = Self.sum(visitsByHour[hour], other.visitsByHour[hour]) }
  }

  /// A damaged file may hold any number.
  private static func sum(_ a: Int, _ b: Int) -> Int {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? .max : sum
  }
}

public import Events
public import Instants

/// Counts visits from the events of regions, in the order of their journal.
///
/// A visit begins with an enter event, or with a muted one, and ends with the next exit. Time in which the state was unknown is not time
/// inside.
public struct VisitCounter: Hashable, Sendable {
  /// A visit that has not ended.
  public struct OpenVisit: Hashable, Sendable {
    public var region: String
    public var kind: RegionKind?
    /// The time of the enter event, since the Unix epoch; nil if the length of the visit can no longer be known.
    public var began: Instant?
    /// The time from which the device has been inside; nil while the state is unknown.
    public var insideSince: Instant?
    /// Whether the clock of these times was synchronised.
    public var isClockSynchronised: Bool

    public init(region: String, kind: RegionKind?, began: Instant?, insideSince: Instant?, isClockSynchronised: Bool) {
      (self.region, self.kind, self.began, self.insideSince) = (region, kind, began, insideSince)
      self.isClockSynchronised = isClockSynchronised
    }
  }

  /// The open visits by region.
  public private(set) var open: [String: OpenVisit]
  /// The latest time that was counted, since the Unix epoch.
  public private(set) var latest: Instant?
  /// The numbers that were counted since the last `takeChanges`.
  private var changes: [DailyVisits.Key: DailyVisits] = [:]

  /// The longest time inside that is counted, so that a clock that was set cannot add decades.
  static let longest = Span.seconds(366 * 86_400)
  /// The open visits that are kept at most.
  static let mostOpen = 10_000

  /// Creates a counter that continues an earlier one.
  public init(open: [OpenVisit] = [], latest: Instant? = nil) {
    self.open = Dictionary(open.map { ($0.region, $0) }) { first, _ in first }
    self.latest = latest
  }

  /// The times that can be right: from 1970 to the year 9999.
  private static let possible = Instant(microseconds: 0)..<Instant(microseconds: 253_402_300_800_000_000)

  /// Counts an event. Events without a region or a possible time, damaged ones and those of another kind are ignored.
  public mutating func take(_ event: Event, in calendar: LocalCalendar) {
    guard let region = event.region, let kind = event.kind, let said = event.time, Self.possible.contains(said) else { return }
    let isTrusted = event.isClockSynchronised != false
    let time = counted(said, isTrusted)
    switch kind {
    case .enter: begin(region, event.regionKind, at: time, isTrusted, in: calendar)
    case .exit: end(region, at: time, isTrusted, in: calendar)
    case .cross:
      note(region, event.regionKind, at: time, in: calendar) { $0.visits += 1 }
    case .state:
      switch event.state {
      case .inside:
        if let visit = open[region] {
          if visit.insideSince == nil { resume(visit, at: time, isTrusted) }
        } else if event.reason.cause != .fix {
          begin(region, event.regionKind, at: time, isTrusted, in: calendar)
        }
      case .outside: end(region, at: time, isTrusted, in: calendar)
      case .unknown: suspend(region, at: time, isTrusted, in: calendar)
      case nil: break
      }
    case .dwell, .depart, .hurry, .arrive, .miss, .damaged: break
    case .beaconMissing, .beaconWeak, .beaconMoved, .beaconDuplicate, .beaconRecovered, .alert, .alertEnded: break
    }
  }

  /// The open visits in the order of their regions.
  public var openVisits: [OpenVisit] { open.values.sorted { $0.region < $1.region } }

  /// Returns the numbers to add to each day, and forgets them.
  public mutating func takeChanges() -> [DailyVisits] {
    defer { changes = [:] }
    return changes.values.sorted { $0.key < $1.key }
  }

  /// Returns the time to count by.
  ///
  /// A clock that is known to be wrong may begin years in the past, and then the last known time is nearer.
  private mutating func counted(_ time: Instant, _ isTrusted: Bool) -> Instant {
    let time = isTrusted ? time : max(time, latest ?? time)
    latest = isTrusted ? time : max(time, latest ?? time)
    return time
  }
}

// MARK: - The visit of a region

extension VisitCounter {
  private mutating func begin(_ region: String, _ kind: RegionKind?, at time: Instant, _ isTrusted: Bool, in calendar: LocalCalendar) {
    note(region, kind, at: time, in: calendar) {
      $0.visits += 1
      $0.visitsByHour[calendar.hour(of: time)] += 1
    }
    guard open[region] != nil || open.count < Self.mostOpen else { return }
    open[region] = OpenVisit(region: region, kind: kind, began: time, insideSince: time, isClockSynchronised: isTrusted)
  }

  private mutating func suspend(_ region: String, at time: Instant, _ isTrusted: Bool, in calendar: LocalCalendar) {
    guard var visit = open[region] else { return }
    addTime(of: visit, until: time, isTrusted, in: calendar)
    (visit.began, visit.insideSince) = (nil, nil)
    open[region] = visit
  }

  private mutating func resume(_ visit: OpenVisit, at time: Instant, _ isTrusted: Bool) {
    open[visit.region] = OpenVisit(region: visit.region, kind: visit.kind, began: nil, insideSince: time, isClockSynchronised: isTrusted)
  }

  private mutating func end(_ region: String, at time: Instant, _ isTrusted: Bool, in calendar: LocalCalendar) {
    guard let visit = open.removeValue(forKey: region) else { return }
    addTime(of: visit, until: time, isTrusted, in: calendar)
    guard let began = visit.began, let length = Self.length(from: began, visit.isClockSynchronised, to: time, isTrusted) else { return }
    note(region, visit.kind, at: time, in: calendar) {
      $0.ended += 1
      $0.longest = max($0.longest, length)
    }
  }

  /// Adds the time inside to each day that it touches.
  private mutating func addTime(of visit: OpenVisit, until end: Instant, _ isTrusted: Bool, in calendar: LocalCalendar) {
    guard let start = visit.insideSince, Self.length(from: start, visit.isClockSynchronised, to: end, isTrusted) != nil else { return }
    var (time, day) = (start, calendar.day(of: start))
    while time < end {
      let next = min(end, max(time, calendar.start(of: day + 1)))
      note(visit.region, visit.kind, day: day) { $0.inside = $0.inside + (next - time) }
      (time, day) = (next, day + 1)
    }
  }

  /// Returns nil if the clock was set between the two times, or the result cannot be right.
  private static func length(from start: Instant, _ wasTrusted: Bool, to end: Instant, _ isTrusted: Bool) -> Span? {
    let length = end - start
    return wasTrusted == isTrusted && length >= .zero && length <= longest ? length : nil
  }

  private mutating func note(
    _ region: String, _ kind: RegionKind?, at time: Instant, in calendar: LocalCalendar, _ change: (inout DailyVisits) -> Void
  ) {
    note(region, kind, day: calendar.day(of: time), change)
  }

  private mutating func note(_ region: String, _ kind: RegionKind?, day: Int, _ change: (inout DailyVisits) -> Void) {
    let key = DailyVisits.Key(day: day, region: region)
    change(&changes[key, default: DailyVisits(key, kind)])
  }
}

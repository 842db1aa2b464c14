import Instants

/// What a region learns from its own silences: the gaps that its beacons have without being gone, and how often it flapped.
///
/// It covers today and yesterday, days of the engine's clock that begin with the region: the last 24 to 48 hours, and up to half an exit delay more.
public struct RegionHistory: Hashable, Sendable {
  public struct Day: Hashable, Sendable {
    /// The longest silence that ended before its exit delay, in milliseconds.
    public var longestGap: UInt32 = 0
    /// The longest absence that counts as a flap, in milliseconds.
    public var longestAbsence: UInt32 = 0
    /// Exits by silence, and by departure, after which the region was soon entered again.
    public var silences: UInt16 = 0
    public var departures: UInt16 = 0
    /// Visits of one single sighting.
    public var strays: UInt16 = 0

    public init() {}
  }

  public private(set) var today = Day()
  public private(set) var yesterday = Day()
  public private(set) var dayEnd: Instant

  private static let day = Span.seconds(86_400)

  /// The exit delay is so many times the longest gap. With gaps of an exponential tail, as bursts of loss have, 1.5 times the longest of a day is too short
  /// for a gap of the next once in three months; twice is too short for what two hours have taught. Docs/decisions/0007.
  private static let margin: Int64 = 3
  /// And at most so many times what was asked for. A beacon of 1 Hz that is lost in bursts of 12 s needs seven times 30 s.
  private static let most: Int64 = 8

  public init(at time: Instant) {
    dayEnd = time + Self.day
  }

  /// What was kept, on this clock.
  public init(today: Day, yesterday: Day, dayEnd: Instant) {
    (self.today, self.yesterday, self.dayEnd) = (today, yesterday, dayEnd)
  }

  /// Forgets what is too old at `time`.
  mutating func pass(to time: Instant) {
    guard time >= dayEnd else { return }
    let isNext = time < dayEnd + Self.day
    yesterday = isNext ? today : Day()
    today = Day()
    dayEnd = (isNext ? dayEnd : time) + Self.day
  }

  /// The same with its day ending at another time.
  func ending(at time: Instant) -> RegionHistory { RegionHistory(today: today, yesterday: yesterday, dayEnd: time) }

  /// Whether there is anything to keep.
  public var isEmpty: Bool { today == Day() && yesterday == Day() }
}

// MARK: Gaps

extension RegionHistory {
  @inline(__always)  // a part of every sighting
  func isLongest(_ gap: Span) -> Bool { gap.microseconds > Int64(today.longestGap) &* 1000 }

  mutating func learn(_ gap: Span) {
    today.longestGap = max(today.longestGap, Self.milliseconds(gap))
  }

  /// The exit delay that these gaps ask for: whole seconds where it is not the one that is configured.
  func exitDelay(atLeast configured: Span) -> Span {
    let gap = Int64(max(today.longestGap, yesterday.longestGap)) * 1000
    let (second, wanted) = (Int64(1_000_000), Self.margin * gap)
    guard wanted > configured.microseconds else { return configured }
    return min(Span(microseconds: (wanted + second - 1) / second * second), Self.longestDelay(configured))
  }

  private static func longestDelay(_ configured: Span) -> Span { configured * Double(most) }

  /// Rounded up; saturates.
  private static func milliseconds(_ span: Span) -> UInt32 { UInt32(clamping: (span.microseconds + 999) / 1000) }
}

// MARK: Flaps

extension RegionHistory {
  /// Notes that a region is entered again after `absence`, if a longer exit delay could have spared it.
  mutating func noteReturn(after absence: Span, exitDelay configured: Span, bySilence: Bool) {
    guard absence <= Self.longestDelay(configured) else { return }
    if bySilence {
      today.silences = today.silences.successor
      today.longestAbsence = max(today.longestAbsence, Self.milliseconds(absence))
    } else {
      today.departures = today.departures.successor
    }
  }

  mutating func noteStray() {
    today.strays = today.strays.successor
  }

  var silences: Int { Int(today.silences) + Int(yesterday.silences) }
  var departures: Int { Int(today.departures) + Int(yesterday.departures) }
  var strays: Int { Int(today.strays) + Int(yesterday.strays) }
  var longestAbsence: Span { .milliseconds(Int64(max(today.longestAbsence, yesterday.longestAbsence))) }
}

extension UInt16 {
  /// Saturates.
  fileprivate var successor: UInt16 { self == .max ? self : self + 1 }
}

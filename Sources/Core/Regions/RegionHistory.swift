import Instants

/// The silences and flaps of a region, from which it learns its exit delay.
///
/// The history holds the gaps of beacons that were not gone, and how often the region flapped. It covers today and yesterday: the last 24
/// to 48 hours, and up to half an exit delay more. The days are days of the engine's clock and begin with the region.
public struct RegionHistory: Hashable, Sendable {
  public struct Day: Hashable, Sendable {
    /// The longest silence that ended before its exit delay, in milliseconds.
    public var longestGap: UInt32 = 0
    /// The longest absence that counts as a flap, in milliseconds.
    public var longestAbsence: UInt32 = 0
    /// Exits by silence, and in `departures` by departure, that an enter soon followed.
    public var silences: UInt16 = 0
    public var departures: UInt16 = 0
    /// Visits of a single sighting.
    public var strays: UInt16 = 0

    public init() {}
  }

  public private(set) var today = Day()
  public private(set) var yesterday = Day()
  public private(set) var dayEnd: Instant

  private static let day = Span.seconds(86_400)

  /// The exit delay as a multiple of the longest gap.
  /// Gaps have an exponential tail, as bursts of loss do. A factor of 1.5 on the longest gap of a day is too short for a gap of the next
  /// day once in three months. A factor of 2 is too short after two hours of learning. See Docs/decisions/0007.
  private static let margin: Int64 = 3
  /// The longest learned exit delay as a multiple of the configured one.
  /// A beacon of 1 Hz that is lost in bursts of 12 s needs seven times 30 s.
  private static let most: Int64 = 8

  public init(at time: Instant) {
    dayEnd = time + Self.day
  }

  /// Creates a history from saved days, with times of the engine's clock.
  public init(today: Day, yesterday: Day, dayEnd: Instant) {
    (self.today, self.yesterday, self.dayEnd) = (today, yesterday, dayEnd)
  }

  /// Forgets days that are too old at `time`.
  mutating func pass(to time: Instant) {
    guard time >= dayEnd else { return }
    let isNext = time < dayEnd + Self.day
    yesterday = isNext ? today : Day()
    today = Day()
    dayEnd = (isNext ? dayEnd : time) + Self.day
  }

  /// Returns a copy whose current day ends at `time`.
  func ending(at time: Instant) -> RegionHistory { RegionHistory(today: today, yesterday: yesterday, dayEnd: time) }

  /// Whether there is nothing to save.
  public var isEmpty: Bool { today == Day() && yesterday == Day() }
}

// MARK: Gaps

extension RegionHistory {
  @inline(__always)  // a part of every sighting
  func isLongest(_ gap: Span) -> Bool { gap.microseconds > Int64(today.longestGap) &* 1000 }

  mutating func learn(_ gap: Span) {
    today.longestGap = max(today.longestGap, Self.milliseconds(gap))
  }

  /// Returns the exit delay that the gaps require: the configured one, or a longer one in whole seconds.
  func exitDelay(atLeast configured: Span) -> Span {
    let gap = Int64(max(today.longestGap, yesterday.longestGap)) * 1000
    let (second, wanted) = (Int64(1_000_000), Self.margin * gap)
    guard wanted > configured.microseconds else { return configured }
    return min(Span(microseconds: (wanted + second - 1) / second * second), Self.longestDelay(configured))
  }

  private static func longestDelay(_ configured: Span) -> Span { configured * Double(most) }

  /// Returns the span in milliseconds, rounded up and saturating.
  private static func milliseconds(_ span: Span) -> UInt32 { UInt32(clamping: (span.microseconds + 999) / 1000) }
}

// MARK: Flaps

extension RegionHistory {
  /// Counts a return to the region after `absence`, if a longer exit delay could have prevented the exit.
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
  /// The next number; saturates.
  fileprivate var successor: UInt16 { self == .max ? self : self + 1 }
}

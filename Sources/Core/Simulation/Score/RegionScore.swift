import Instants

/// The comparison of an engine's events for a region to the ground truth.
public struct RegionScore: Hashable, Sendable {
  /// True enters and exits that the engine reported once.
  public internal(set) var hits = 0
  /// Exits during a visit: the error that users suffer from most.
  public internal(set) var falseExits = 0
  /// Other wrong events: an enter without a visitor, a second enter in the same visit, or an exit after such an enter.
  /// An enter in the border, where either state is right, counts neither as a hit nor as stray; nor does the exit after it.
  public internal(set) var strayEvents = 0
  /// True enters and exits that the engine never reported.
  public internal(set) var missed = 0
  /// The time from crossing the inner limit to the enter event.
  public internal(set) var enterLatency = Latencies()
  /// The time from crossing the outer limit to the exit event, which includes the exit delay.
  public internal(set) var exitLatency = Latencies()

  public init() {}

  /// The share of reported events that are true; nil without events.
  public var precision: Double? { Self.share(hits, of: hits + falseExits + strayEvents) }

  /// The share of true crossings that the engine reported; nil without crossings.
  public var recall: Double? { Self.share(hits, of: hits + missed) }

  public static func += (total: inout RegionScore, other: RegionScore) {
    total.hits += other.hits
    total.falseExits += other.falseExits
    total.strayEvents += other.strayEvents
    total.missed += other.missed
    total.enterLatency += other.enterLatency
    total.exitLatency += other.exitLatency
  }

  private static func share(_ part: Int, of all: Int) -> Double? { all == 0 ? nil : Double(part) / Double(all) }
}

extension RegionScore {
  /// Compares the reported events to the visits.
  ///
  /// - Parameters:
  ///   - visits: the true visits, in order of time.
  ///   - borderStays: the stays in the border that belong to no visit, in order of time.
  ///   - crossings: the reported events, in order of time.
  ///   - scored: the scored period. Crossings outside it are compared but not counted. Events after its end count only for visits that
  ///     have ended by then, because no beacon sends after the end.
  public init(visits: [Visit], borderStays: [ClosedRange<Instant>] = [], crossings: [Crossing], scored: Range<Instant>) {
    var matches = visits.map { _ in Match() }
    // True after an enter in the border, until the next crossing.
    var isInBorder = false
    for crossing in crossings {
      var verdict =
        crossing.kind == .enter
        ? Self.judgeEnter(at: crossing.time, visits, &matches) : Self.judgeExit(at: crossing.time, visits, &matches)
      switch crossing.kind {
      case .enter:
        if verdict == .stray, !isInBorder, borderStays.contains(where: { $0.contains(crossing.time) }) { verdict = .either }
        isInBorder = verdict == .either
      case .exit:
        if verdict == .stray, isInBorder { verdict = .either }
        isInBorder = false
      }
      guard crossing.time >= scored.lowerBound else { continue }
      switch verdict {
      case .hit, .either: break
      case .falseExit: falseExits += crossing.time < scored.upperBound ? 1 : 0
      case .stray: strayEvents += 1
      }
    }
    for (visit, match) in zip(visits, matches) {
      if visit.entered >= scored.lowerBound { count(match.enter, since: visit.entered, in: \.enterLatency) }
      if let left = visit.left, left >= scored.lowerBound { count(match.exit, since: left, in: \.exitLatency) }
    }
  }

  private mutating func count(_ claim: Instant?, since truth: Instant, in latency: WritableKeyPath<RegionScore, Latencies>) {
    guard let claim else {
      missed += 1
      return
    }
    hits += 1
    self[keyPath: latency].add(claim - truth)
  }

  /// The reported events of a visit.
  private struct Match {
    var enter: Instant?
    var exit: Instant?
  }

  private enum Verdict {
    case hit
    case either
    case falseExit
    case stray
  }

  private static func judgeEnter(at time: Instant, _ visits: [Visit], _ matches: inout [Match]) -> Verdict {
    guard let index = visits.lastIndex(where: { $0.approached <= time }), visits[index].left.map({ time <= $0 }) ?? true,
      matches[index].enter == nil
    else { return .stray }
    matches[index].enter = time
    return .hit
  }

  private static func judgeExit(at time: Instant, _ visits: [Visit], _ matches: inout [Match]) -> Verdict {
    if let current = visits.last(where: { $0.entered <= time }), time < current.lastInside { return .falseExit }
    guard let index = visits.lastIndex(where: { $0.lastInside <= time }), matches[index].enter != nil, matches[index].exit == nil else {
      return .stray
    }
    // The visitor is still inside at the end, when the beacons stop sending.
    guard visits[index].left != nil else { return .falseExit }
    matches[index].exit = time
    return .hit
  }
}

/// A list of latencies and its percentiles.
public struct Latencies: Hashable, Sendable {
  private var spans: [Span] = []

  public init() {}

  /// Adds a latency; a negative one counts as zero.
  mutating func add(_ span: Span) {
    spans.append(Swift.max(.zero, span))
  }

  public static func += (all: inout Latencies, other: Latencies) {
    all.spans += other.spans
  }

  public var count: Int { spans.count }

  /// Returns the smallest latency that at least this share of all do not exceed, or nil without latencies.
  /// The percentile uses the nearest rank, without interpolation.
  public func percentile(_ share: Double) -> Span? {
    guard !spans.isEmpty else { return nil }
    let rank = Int((share * Double(spans.count)).rounded(.up))
    return spans.sorted()[Swift.min(spans.count, Swift.max(1, rank)) - 1]
  }

  public var largest: Span? { spans.max() }
}

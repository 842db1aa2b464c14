import Instants

/// How what an engine claimed of a region compares to what was true.
public struct RegionScore: Hashable, Sendable {
  /// Enters and exits that were true and claimed once.
  public private(set) var hits = 0
  /// Exits while the visit went on: the mistake that users suffer from most.
  public private(set) var falseExits = 0
  /// Other claims that were wrong: an enter with nobody there or a second time in the same visit, an exit that takes such an enter back. An enter in the border, where
  /// either is right, and the exit that follows it are no hit and not stray.
  public private(set) var strayEvents = 0
  /// Enters and exits that were true and never claimed.
  public private(set) var missed = 0
  /// From the inner limit to the claim.
  public private(set) var enterLatency = Latencies()
  /// From the outer limit to the claim: the exit delay is part of it.
  public private(set) var exitLatency = Latencies()

  public init() {}

  /// The share of claims that were true; nil without a claim.
  public var precision: Double? { Self.share(hits, of: hits + falseExits + strayEvents) }

  /// The share of what was true that was claimed; nil when nothing happened.
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
  /// - Parameters:
  ///   - visits: what was true, in order of time.
  ///   - borderStays: when either was true, in order of time; no visit is among them.
  ///   - crossings: what was claimed, in order of time.
  ///   - scored: what lies outside is compared but not counted; claims after its end count only for visits that have ended by then, since
  ///     nobody sends any more.
  public init(visits: [Visit], borderStays: [ClosedRange<Instant>] = [], crossings: [Crossing], scored: Range<Instant>) {
    var matches = visits.map { _ in Match() }
    // Whether the last enter was one in the border.
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

  /// The claims that fit a visit.
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
    // Still there at the end: it is the air that went silent.
    guard visits[index].left != nil else { return .falseExit }
    matches[index].exit = time
    return .hit
  }
}

import Instants

/// The comparison of reported enters and exits of zones with the true ones.
public struct ZoneScore: Hashable, Sendable {
  /// The number of zones.
  public internal(set) var zones = 0
  /// True crossings: enters and exits.
  public internal(set) var trueCrossings = 0
  public internal(set) var reportedCrossings = 0
  /// Reported crossings within `tolerance` of a true one of the same zone and kind, each true one once.
  public internal(set) var hits = 0
  /// Reported enters that match no true one.
  public internal(set) var falseEnters = 0
  /// False enters while the receiver stays beyond the leaving distance from `tolerance` before to `tolerance` after.
  public internal(set) var grossFalseEnters = 0
  /// Reported exits that match no true one.
  public internal(set) var falseExits = 0
  /// False exits while the receiver stays within the leaving distance from `tolerance` before to `tolerance` after.
  public internal(set) var phantomExits = 0
  /// The times from true enters to reported ones; negative if reported too early.
  public internal(set) var enterLatencies: [Span] = []
  /// The length of the walks.
  public internal(set) var span = Span.zero

  /// The longest time between a true crossing and the reported one that it matches.
  public static let tolerance = Span.seconds(5)

  /// - Parameter span: the length of the walk.
  public init(span: Span) {
    self.span = span
  }

  public static func += (total: inout ZoneScore, other: ZoneScore) {
    total.zones = max(total.zones, other.zones)
    total.trueCrossings += other.trueCrossings
    total.reportedCrossings += other.reportedCrossings
    total.hits += other.hits
    total.falseEnters += other.falseEnters
    total.grossFalseEnters += other.grossFalseEnters
    total.falseExits += other.falseExits
    total.phantomExits += other.phantomExits
    total.enterLatencies += other.enterLatencies
    total.span = total.span + other.span
  }
}

extension ZoneScore {
  /// The share of reported crossings that are true; `nil` without any.
  public var precision: Double? { Self.share(hits, of: reportedCrossings) }
  /// The share of true crossings that are reported; `nil` without any.
  public var recall: Double? { Self.share(hits, of: trueCrossings) }
  /// The harmonic mean of precision and recall, 2 hits / (reported + true); `nil` without crossings.
  public var f1: Double? { Self.share(2 * hits, of: reportedCrossings + trueCrossings) }
  public var falseEntersPerMinute: Double { Double(falseEnters) / (span.seconds / 60) }
  public var grossFalseEntersPerMinute: Double { Double(grossFalseEnters) / (span.seconds / 60) }
  public var falseExitsPerMinute: Double { Double(falseExits) / (span.seconds / 60) }
  public var phantomExitsPerMinute: Double { Double(phantomExits) / (span.seconds / 60) }

  private static func share(_ part: Int, of all: Int) -> Double? { all == 0 ? nil : Double(part) / Double(all) }
}

extension ZoneScore {
  /// Adds a zone.
  ///
  /// - Parameters:
  ///   - distances: the true distances at the times of `truth`.
  ///   - reported: the reported crossings during the walk, in order of time.
  public mutating func add(_ zone: ScoredZone, _ truth: WalkTruth, _ distances: [Double], reported: [ZoneCrossing]) {
    let real = zone.crossings(truth, distances)
    zones += 1
    trueCrossings += real.count
    reportedCrossings += reported.count
    for isEnter in [true, false] {
      let (a, b) = (real.filter { $0.isEnter == isEnter }.map(\.time), reported.filter { $0.isEnter == isEnter }.map(\.time))
      let matches = Self.matches(a, b)
      hits += matches.count
      if isEnter { enterLatencies += matches.map { b[$0.reported] - a[$0.real] } }
      let matched = Set(matches.map(\.reported))
      for (index, time) in b.enumerated() where !matched.contains(index) {
        let around = zip(truth.times, distances).filter { Self.magnitude($0.0 - time) <= Self.tolerance }.map(\.1)
        if isEnter {
          falseEnters += 1
          if around.allSatisfy({ $0 > zone.leaveBeyond }) { grossFalseEnters += 1 }
        } else {
          falseExits += 1
          if around.allSatisfy({ $0 <= zone.leaveBeyond }) { phantomExits += 1 }
        }
      }
    }
  }

  /// Returns pairs of times within the tolerance, closest first; each time is in one pair.
  private static func matches(_ real: [Instant], _ reported: [Instant]) -> [(real: Int, reported: Int)] {
    let pairs = real.indices.flatMap { a in reported.indices.map { b in (gap: magnitude(reported[b] - real[a]), a: a, b: b) } }
    var taken: (real: Set<Int>, reported: Set<Int>) = ([], [])
    var matches: [(real: Int, reported: Int)] = []
    for pair in pairs.filter({ $0.gap <= tolerance }).sorted(by: { ($0.gap, $0.a, $0.b) < ($1.gap, $1.a, $1.b) })
    where !taken.real.contains(pair.a) && !taken.reported.contains(pair.b) {
      taken.real.insert(pair.a)
      taken.reported.insert(pair.b)
      matches.append((pair.a, pair.b))
    }
    return matches
  }

  private static func magnitude(_ span: Span) -> Span { max(span, .zero - span) }
}

import Instants
import Locations

/// What a source can do, and what that costs.
public struct SourceAbility: Hashable, Sendable {
  /// What it takes from a battery.
  public enum Cost: Int, Hashable, Comparable, Sendable {
    /// Nothing runs for it: the config knows.
    case none
    /// Radios that are on anyway: Wi-Fi, cells.
    case low
    /// A receiver of satellites.
    case high

    public static func < (a: Cost, b: Cost) -> Bool { a.rawValue < b.rawValue }
  }

  public var source: Location.Source
  /// Metres, one sigma, on a good day.
  public var reach: Double
  public var cost: Cost

  public init(_ source: Location.Source, reach: Double, cost: Cost) {
    self.source = source
    self.reach = reach
    self.cost = cost
  }
}

/// Which sources have to be on.
///
/// The one that costs least among those that reach what is wanted; where none does, the one that reaches farthest. One that has been on for a while and does not do
/// what is wanted of it stays on and tries, and the next one helps out.
struct SourcePlan {
  struct Candidate {
    var ability: SourceAbility
    /// It can be asked: no consent is missing, and it is not known to be gone.
    var isThere = true
    var onSince: Instant?
    var latest: Location?
  }

  /// Satellites are found within this time, or not at all under this roof.
  static let patience = Span.seconds(30)

  /// In the order in which they are tried.
  let wanted: [Int]
  /// When to ask again though nothing happens.
  let nextLook: Instant

  /// - Parameter accuracy: the finest that is wanted; nil when nobody wants to know.
  init(_ candidates: [Candidate], accuracy: DesiredAccuracy?, at now: Instant) {
    guard let accuracy else {
      (wanted, nextLook) = ([], .never)
      return
    }
    let order = candidates.indices.sorted { Self.precedes(candidates[$0].ability, candidates[$1].ability, accuracy) }
    let finest = order.filter { candidates[$0].isThere }.map { candidates[$0].ability.reach }.min() ?? .infinity
    var wanted: [Int] = []
    var nextLook = Instant.never
    for index in order {
      let candidate = candidates[index]
      wanted.append(index)
      guard candidate.isThere else { continue }
      let patience = Self.patienceEnds(candidate, Swift.max(accuracy.metres, finest))
      if now < patience {
        nextLook = patience
        break
      }
    }
    (self.wanted, self.nextLook) = (wanted, nextLook)
  }

  private static func precedes(_ a: SourceAbility, _ b: SourceAbility, _ accuracy: DesiredAccuracy) -> Bool {
    let (first, second) = (a.reach <= accuracy.metres, b.reach <= accuracy.metres)
    if first != second { return first }
    if first, a.cost != b.cost { return a.cost < b.cost }
    return (a.reach, a.cost) < (b.reach, b.cost)
  }

  /// Until when it is believed to do what is wanted of it.
  private static func patienceEnds(_ candidate: Candidate, _ metres: Double) -> Instant {
    guard let since = candidate.onSince else { return .never }
    // A place that does not move is as new as ever.
    if candidate.ability.cost == .none { return .never }
    guard let latest = candidate.latest, latest.received >= since, let accuracy = latest.horizontalAccuracy, accuracy <= 2 * metres else {
      return since + patience
    }
    return latest.end
  }
}

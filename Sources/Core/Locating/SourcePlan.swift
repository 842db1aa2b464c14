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
/// what is wanted of it stays on and tries, and the next one helps out, for half a minute at least.
struct SourcePlan {
  struct Candidate {
    var ability: SourceAbility
    /// It can be asked: no consent is missing, and it is not known to be gone.
    var isThere = true
    var onSince: Instant?
    var latest: Location?
    /// How many of its fixes came after newer ones.
    var late = 0
    /// Another one does not do what is wanted: since when this one helps out.
    var helpsSince: Instant?
    /// It did what is wanted when that was asked last.
    var isContent = false
  }

  /// Satellites are found within this time, or not at all under this roof.
  static let patience = Span.seconds(30)

  /// In the order in which they are tried.
  let wanted: [Int]
  /// Those of them that do what is wanted.
  let content: Set<Int>
  /// When to ask again though nothing happens.
  let nextLook: Instant

  /// - Parameter accuracy: the finest that is wanted; nil when nobody wants to know.
  init(_ candidates: [Candidate], accuracy: DesiredAccuracy?, at now: Instant) {
    guard let accuracy else {
      (wanted, content, nextLook) = ([], [], .never)
      return
    }
    let order = candidates.indices.sorted { Self.precedes(candidates[$0].ability, candidates[$1].ability, accuracy) }
    let finest = order.filter { candidates[$0].isThere }.map { candidates[$0].ability.reach }.min() ?? .infinity
    var wanted: [Int] = []
    var content: Set<Int> = []
    var nextLook = Instant.never
    for index in order {
      let candidate = candidates[index]
      wanted.append(index)
      guard candidate.isThere else { continue }
      let metres = Swift.max(accuracy.metres, finest)
      let patience = Self.patienceEnds(candidate, metres)
      if now < patience {
        if Self.suffices(candidate, metres) { content.insert(index) }
        nextLook = patience
        break
      }
    }
    // Who helps out does so for a while: being switched on and off costs more than it saves.
    for index in order.dropFirst(wanted.count) {
      guard let since = candidates[index].helpsSince, now < since + Self.patience else { continue }
      wanted.append(index)
      nextLook = min(nextLook, since + Self.patience)
    }
    (self.wanted, self.content, self.nextLook) = (wanted, content, nextLook)
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
    guard let latest = candidate.latest, suffices(candidate, metres) else { return since + patience }
    return latest.end
  }

  /// Whether it has done what is wanted since it is on. One that did may become somewhat worse, or every other fix would call for help.
  private static func suffices(_ candidate: Candidate, _ metres: Double) -> Bool {
    guard let since = candidate.onSince, let latest = candidate.latest, latest.received >= since else { return false }
    return latest.horizontalAccuracy.map { $0 <= (candidate.isContent ? 3 : 2) * metres } ?? false
  }
}

import Instants
import Locations

/// The typical accuracy and the energy cost of a location source.
public struct SourceAbility: Hashable, Sendable {
  /// The energy cost of a source.
  public enum Cost: Int, Hashable, Comparable, Sendable {
    /// No energy: the location is configured.
    case none
    /// Radios that are on anyway: Wi-Fi, cellular.
    case low
    /// A satellite receiver.
    case high

    public static func < (a: Cost, b: Cost) -> Bool { a.rawValue < b.rawValue }
  }

  public var source: Location.Source
  /// The typical accuracy in good conditions: one sigma, in metres.
  public var typicalAccuracy: Double
  public var cost: Cost
  /// The highest speed in m/s at which the fixes of the source are right; nil for any speed.
  public var topSpeed: Double?
  /// Whether the fixes are those of a satellite receiver, or of a recording or a simulation of one.
  public var isSatelliteReceiver: Bool
  /// Whether a recorded motion belongs to the fixes: the source plays a recording, or follows beacons that may be played.
  public var followsRecording: Bool

  public init(
    _ source: Location.Source, typicalAccuracy: Double, cost: Cost, topSpeed: Double? = nil, isSatelliteReceiver: Bool = false,
    followsRecording: Bool = false
  ) {
    self.source = source
    self.typicalAccuracy = typicalAccuracy
    self.cost = cost
    self.topSpeed = topSpeed
    self.isSatelliteReceiver = isSatelliteReceiver
    self.followsRecording = followsRecording
  }
}

/// Selects the sources that must be on.
///
/// The plan prefers the cheapest source that reaches the requested accuracy, or the finest source if none reaches it. A source that has
/// not delivered this accuracy after a while stays on, and the next source is switched on as well, for at least half a minute.
struct SourcePlan {
  struct Candidate {
    var ability: SourceAbility
    /// Whether the source can be used: consent is not missing, and the source is not known to be gone.
    var isAvailable = true
    var onSince: Instant?
    var latest: Location?
    /// The number of its fixes that arrived after newer ones.
    var late = 0
    /// The time since which this source supplements one that does not deliver the requested accuracy.
    var helpsSince: Instant?
    /// Whether the source delivered the requested accuracy at the last check.
    var isSufficient = false

    /// Returns whether a current fix of another source shows that the device is too fast for this source.
    func isOutrun(among all: [Candidate], at now: Instant) -> Bool {
      guard let topSpeed = ability.topSpeed else { return false }
      return all.contains { other in
        guard other.ability.source != ability.source, let fix = other.latest, fix.isCurrent(at: now), let speed = fix.speed else {
          return false
        }
        return speed - (fix.speedAccuracy ?? 0) > topSpeed
      }
    }
  }

  /// The time after which a satellite receiver counts as without reception.
  static let patience = Span.seconds(30)

  /// The sources to switch on, in the order in which they are tried.
  let wanted: [Int]
  /// The subset of `wanted` that delivers the requested accuracy.
  let sufficient: Set<Int>
  /// The time at which the plan must be made again even without new input.
  let nextCheck: Instant

  /// Makes the plan for the sources and the requested accuracy.
  ///
  /// - Parameter accuracy: the finest requested accuracy; nil without listeners.
  init(_ candidates: [Candidate], accuracy: DesiredAccuracy?, at now: Instant) {
    guard let accuracy else {
      (wanted, sufficient, nextCheck) = ([], [], .never)
      return
    }
    let order = candidates.indices.sorted { Self.precedes(candidates[$0].ability, candidates[$1].ability, accuracy) }
    let finest = order.filter { candidates[$0].isAvailable }.map { candidates[$0].ability.typicalAccuracy }.min() ?? .infinity
    var wanted: [Int] = []
    var sufficient: Set<Int> = []
    var nextCheck = Instant.never
    for index in order {
      let candidate = candidates[index]
      wanted.append(index)
      guard candidate.isAvailable else { continue }
      let metres = Swift.max(accuracy.metres, finest)
      let patience = Self.patienceEnds(candidate, metres)
      // The source whose fixes show that the device is too fast for this one stays on.
      if now < patience, !candidate.isOutrun(among: candidates, at: now) {
        if Self.suffices(candidate, metres) { sufficient.insert(index) }
        nextCheck = patience
        break
      }
    }
    // A supplementary source stays on for a while, because switching it on and off costs more than it saves.
    for index in order.dropFirst(wanted.count) {
      guard let since = candidates[index].helpsSince, now < since + Self.patience else { continue }
      wanted.append(index)
      nextCheck = min(nextCheck, since + Self.patience)
    }
    (self.wanted, self.sufficient, self.nextCheck) = (wanted, sufficient, nextCheck)
  }

  private static func precedes(_ a: SourceAbility, _ b: SourceAbility, _ accuracy: DesiredAccuracy) -> Bool {
    let (first, second) = (a.typicalAccuracy <= accuracy.metres, b.typicalAccuracy <= accuracy.metres)
    if first != second { return first }
    if first, a.cost != b.cost { return a.cost < b.cost }
    return (a.typicalAccuracy, a.cost) < (b.typicalAccuracy, b.cost)
  }

  /// Returns the time until which the source is trusted to deliver the requested accuracy.
  private static func patienceEnds(_ candidate: Candidate, _ metres: Double) -> Instant {
    guard let since = candidate.onSince else { return .never }
    // A configured location does not age.
    if candidate.ability.cost == .none { return .never }
    guard let latest = candidate.latest, suffices(candidate, metres) else { return since + patience }
    return latest.end
  }

  /// Returns whether the source has delivered the requested accuracy since it was switched on.
  /// The limit is wider for a source that already delivered it; otherwise every other fix would switch on another source.
  private static func suffices(_ candidate: Candidate, _ metres: Double) -> Bool {
    guard let since = candidate.onSince, let latest = candidate.latest, latest.received >= since else { return false }
    return latest.horizontalAccuracy.map { $0 <= (candidate.isSufficient ? 3 : 2) * metres } ?? false
  }
}

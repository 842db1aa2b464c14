import Instants
import Ranging

/// How far a region that asks for more than being heard has come.
struct ConditionProgress: Sendable {
  /// What a sighting of a beacon with a distance means to the region.
  enum Verdict {
    case nothing
    /// The region is satisfied by it.
    case satisfied
    /// Nobody has been near for as long as it takes.
    case departed
  }

  /// The last beacon that could not count because its distance is unknown.
  private(set) var withoutDistance: BeaconEvidence?
  private var closeBeacons: CloseBeacons
  private var departure = Hold()
  /// When sightings counted that were not enough to enter, oldest first.
  private var arrivals: [Instant] = []
  /// When whoever is inside has stayed for the region's dwell; `.never` when nobody waits for it, or it was told of.
  private(set) var dwellEnd = Instant.never

  init(at time: Instant) {
    closeBeacons = CloseBeacons(at: time)
  }

  mutating func noteUnknownDistance(_ evidence: BeaconEvidence) {
    withoutDistance = evidence
  }

  /// Compares a beacon's distance to those of the region. Inside, one that is not beyond the distance of leaving satisfies.
  mutating func judge(
    _ distance: Distance, _ nearness: BeaconRegion.Nearness, at time: Instant, isInside: Bool, exitDelay: Span, _ approach: inout Approach
  ) -> Verdict {
    withoutDistance = nil
    let isClose = distance <= nearness.leaving
    closeBeacons.note(isClose, &approach.closeness, at: time, exitDelay: exitDelay)
    let hasArrived = approach.arrival.note(distance <= nearness.entry, at: time, for: nearness.hold)
    guard isInside else { return hasArrived ? .satisfied : .nothing }
    if isClose {
      departure = Hold()
      return .satisfied
    }
    return departure.note(closeBeacons.isEmpty, at: time, for: nearness.hold) ? .departed : .nothing
  }

  /// Takes a sighting that would enter and says whether there were enough of them.
  mutating func isEnough(_ entry: BeaconRegion.Entry, at time: Instant) -> Bool {
    arrivals.append(time)
    arrivals.removeAll { time - $0 > entry.within }
    if arrivals.count > entry.sightings { arrivals.removeFirst(arrivals.count - entry.sightings) }
    return arrivals.count >= entry.sightings
  }

  /// A beacon that was tracked is forgotten.
  mutating func forget(_ approach: Approach) {
    closeBeacons.remove(approach.closeness)
  }

  mutating func beginVisit(at time: Instant, dwell: Span?) {
    arrivals = []
    dwellEnd = dwell.map { time + $0 } ?? .never
  }

  /// Goes on with a visit after a time of which nobody knows.
  mutating func resumeVisit(after span: Span) {
    arrivals = []
    if dwellEnd != .never { dwellEnd += span }
  }

  /// True once in a visit.
  mutating func hasDwelt(at time: Instant) -> Bool {
    guard time >= dwellEnd else { return false }
    dwellEnd = .never
    return true
  }

  mutating func waitForDwell(until end: Instant) {
    dwellEnd = end
  }

  /// The state is another one.
  mutating func stateChanged() {
    departure = Hold()
  }
}

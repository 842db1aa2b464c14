import Instants
import Ranging

/// The progress of a region that requires more than a sighting.
struct ConditionProgress: Sendable {
  /// The effect of a sighting with a distance on the region.
  enum Verdict {
    case nothing
    /// The sighting satisfies the region.
    case satisfied
    /// No beacon was close for the length of the hold.
    case departed
  }

  /// The last beacon that did not count because its distance is unknown.
  private(set) var withoutDistance: BeaconEvidence?
  private var closeBeacons: CloseBeacons
  private var departure = Hold()
  private var room = RoomDecision()
  /// The times of sightings that counted but were not enough to enter, oldest first.
  private var arrivals: [Instant] = []
  /// The time at which the visit reaches the region's dwell; `.never` if no dwell event is pending.
  private(set) var dwellEnd = Instant.never

  init(at time: Instant) {
    closeBeacons = CloseBeacons(at: time)
  }

  mutating func noteUnknownDistance(_ evidence: BeaconEvidence) {
    withoutDistance = evidence
  }

  /// Compares a beacon's distance with those of the region.
  /// Inside, a beacon that is not beyond the leaving distance satisfies the region.
  ///
  /// - Parameter mayEnter: whether no other beacon prevents that this one enters the region.
  mutating func judge(
    _ estimate: DistanceEstimate, _ nearness: BeaconRegion.Nearness, at time: Instant, isInside: Bool, mayEnter: Bool, exitDelay: Span,
    _ approach: inout Approach
  ) -> Verdict {
    withoutDistance = nil
    let (distance, method) = (estimate.distance, estimate.method)
    let isClose = distance <= nearness.leaving
    closeBeacons.note(isClose, &approach.closeness, at: time, exitDelay: exitDelay)
    let (hold, isNear) = (nearness.arrivalHold(method), distance <= nearness.entry && mayEnter)
    // Without a hold, every sighting counts, so that a new beacon needs as many sightings as with one.
    let hasArrived = approach.arrival.note(isNear || hold == nil, at: time, for: hold ?? .zero) && isNear
    guard isInside else { return hasArrived ? .satisfied : .nothing }
    if isClose {
      departure = Hold()
      return .satisfied
    }
    let isAlone = closeBeacons.isEmpty && !room.isNear(at: time)
    return departure.note(isAlone, at: time, for: nearness.departureHold(method)) ? .departed : .nothing
  }

  /// Applies a sighting of a beacon about which the indoor position decides.
  mutating func hearLocated(_ approach: inout Approach, at time: Instant, isInside: Bool, exitDelay: Span) -> Verdict {
    withoutDistance = nil
    closeBeacons.note(false, &approach.closeness, at: time, exitDelay: exitDelay)
    approach.arrival = Hold()
    return isInside && room.isNear(at: time) ? .satisfied : .nothing
  }

  /// Applies an estimate of the indoor position; see `RoomDecision.judge`.
  mutating func judge(_ probability: Double, _ nearness: BeaconRegion.Nearness, at time: Instant, isInside: Bool, mayEnter: Bool) -> Verdict
  {
    departure = Hold()
    return room.judge(
      probability, hold: nearness.hold, at: time, isInside: isInside, mayEnter: mayEnter, isHeldBySignal: !closeBeacons.isEmpty)
  }

  /// Counts a sighting that would enter and returns whether there were enough of them.
  mutating func isEnough(_ entry: BeaconRegion.Entry, at time: Instant) -> Bool {
    arrivals.append(time)
    arrivals.removeAll { time - $0 > entry.within }
    if arrivals.count > entry.sightings { arrivals.removeFirst(arrivals.count - entry.sightings) }
    return arrivals.count >= entry.sightings
  }

  /// Forgets a tracked beacon.
  mutating func forget(_ approach: Approach) {
    closeBeacons.remove(approach.closeness)
  }

  mutating func beginVisit(at time: Instant, dwell: Span?) {
    arrivals = []
    dwellEnd = dwell.map { time + $0 } ?? .never
  }

  /// Resumes a visit after a span in which the state was unknown.
  mutating func resumeVisit(after span: Span) {
    arrivals = []
    if dwellEnd != .never { dwellEnd += span }
  }

  /// Whether the visit has reached the dwell; true once in a visit.
  mutating func hasDwelt(at time: Instant) -> Bool {
    guard time >= dwellEnd else { return false }
    dwellEnd = .never
    return true
  }

  mutating func waitForDwell(until end: Instant) {
    dwellEnd = end
  }

  /// Resets the progress of a departure after a change of state.
  mutating func stateChanged() {
    departure = Hold()
    room.stateChanged()
  }
}

/// The progress of one beacon in one region that requires nearness.
struct Approach: Hashable, Sendable {
  /// The time for which the beacon has been within the distance at which the region is entered.
  var arrival = Hold()
  /// The turn in which the beacon counted as not farther than the distance at which the region is left.
  var closeness: CloseBeacons.Turn = 0
  /// The time until which the indoor position decides about the beacon, and sightings do not.
  var locatedUntil = Instant(microseconds: .min)
}

/// A condition that counts once several successive sightings have met it over some time.
///
/// A hold restarts after a silence of `RangedBeacon.unknownAfter`, because it is unknown whether the condition held meanwhile.
struct Hold: Hashable, Sendable {
  private var since = Instant.never
  private var latest = Instant.never
  private var count: UInt32 = 0

  /// The minimum number of sightings in a hold. Two could be one burst; three span a real interval.
  private static let fewestSightings: UInt32 = 3

  /// Applies the next sighting and returns whether the condition has held for `span`.
  mutating func note(_ isMet: Bool, at time: Instant, for span: Span) -> Bool {
    guard isMet else {
      self = Hold()
      return false
    }
    if count == 0 || time - latest >= RangedBeacon.unknownAfter { (since, count) = (time, 0) }
    latest = time
    count &+= 1
    return count >= Self.fewestSightings && time - since >= span
  }
}

/// The number of a region's beacons that are not farther than the distance at which it is left.
///
/// A close beacon that falls silent counts for one to two exit delays more. Two counters take turns, so that forgetting silent beacons
/// costs the same however many there are.
struct CloseBeacons: Sendable {
  /// The turn in which a beacon was last counted; zero for a beacon that is not counted.
  typealias Turn = UInt32

  private var turn: Turn = 2
  private var start: Instant
  private var current = 0
  private var previous = 0

  init(at time: Instant) {
    start = time
  }

  var isEmpty: Bool { current + previous == 0 }

  /// Applies a sighting of a beacon that was last counted in turn `counted`.
  mutating func note(_ isClose: Bool, _ counted: inout Turn, at time: Instant, exitDelay: Span) {
    if time - start >= exitDelay { takeTurns(at: time, exitDelay) }
    let next = isClose ? turn : 0
    guard next != counted else { return }
    remove(counted)
    if isClose { current += 1 }
    counted = next
  }

  /// Forgets a beacon that was last counted in turn `counted`.
  mutating func remove(_ counted: Turn) {
    if counted == turn {
      current -= 1
    } else if counted == turn &- 1 {
      previous -= 1
    }
  }

  private mutating func takeTurns(at time: Instant, _ exitDelay: Span) {
    let isNext = time - start < exitDelay + exitDelay
    previous = isNext ? current : 0
    current = 0
    // Skips a turn if no beacon of the turn before may still count as previous.
    turn &+= isNext ? 1 : 2
    start = isNext ? start + exitDelay : time
  }
}

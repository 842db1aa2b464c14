import BeaconAdvertising
import Events
import Instants
import Ranging

/// The state machine of one beacon region: sightings and instants in, transitions out.
///
/// The last certain *state* is kept apart from whether it is still *certain*. A region that a dead receiver made unknown thus remembers its
/// state. A visitor who stayed causes no second enter event, and one who left meanwhile causes one exit.
public struct BeaconWatch: Sendable {
  // The properties that a sighting touches come first and together: with many regions, a sighting waits for memory.
  var clock = Clock.stopped
  public internal(set) var state: RegionState
  /// The last certain state; `unknown` before there was one.
  var remembered = RegionState.unknown
  /// The cause of the last exit; `nil` if there was none since the last enter.
  var leftBy: Event.Cause?
  /// The progress of further conditions; empty for a region that every sighting satisfies.
  var progress: BoxedOptional<ConditionProgress>
  /// The silence that counts as an exit: the configured delay, or a longer one that the region has learned.
  public internal(set) var exitDelay: Span
  var recent: RecentAdapters
  var history: RegionHistory
  var evidence: BeaconEvidence?
  /// The time of the last change of state.
  public internal(set) var since: Instant
  public internal(set) var region: BeaconRegion

  /// The exit clock, which counts silence.
  enum Clock {
    /// No silence to count: the region is outside, or no adapter can hear it.
    case stopped
    case running(until: Instant)
    /// The adapters that hear the region are paused.
    case paused(left: Span)
  }

  /// The result of a step of the state machine: small, because most steps change nothing.
  enum Step {
    case changed(RegionChange)
    /// The deadline may be earlier than before.
    case nearer
  }

  init(region: BeaconRegion, at time: Instant, _ reception: AdapterReception) {
    self.region = region
    state = region.assumed
    since = time
    exitDelay = region.exitDelay
    recent = RecentAdapters(at: time)
    history = RegionHistory(at: time)
    progress = BoxedOptional(region.isPlain ? nil : ConditionProgress(at: time))
    resume(with: exitDelay, at: time, reception)
  }
}

extension BeaconWatch {
  /// The time at which silence reaches the exit delay; `.never` while no clock runs.
  public var deadline: Instant {
    if case .running(let deadline) = clock { deadline } else { .never }
  }

  /// The last sighting that satisfied the region.
  public var lastSatisfied: BeaconEvidence? { evidence }

  /// The last beacon that did not count because its distance is unknown.
  public var withoutDistance: BeaconEvidence? { progress.value?.withoutDistance }

  /// Returns how often the region was left or entered needlessly.
  public func flapping(at time: Instant) -> Flapping {
    var history = history
    history.pass(to: time)
    return Flapping(history, of: .beacon(region))
  }

  /// The last certain state, or the assumed state before there was one.
  var baseline: RegionState { remembered == .unknown ? region.assumed : remembered }

  /// Ends the exit clock at its deadline.
  mutating func expire() -> RegionChange? {
    let time = deadline
    guard state != .outside else {
      remembered = .outside
      clock = .stopped
      return nil
    }
    return change(to: .outside, at: time, cause: .silence)
  }

  mutating func change(to next: RegionState, at time: Instant, cause: Event.Cause) -> RegionChange {
    let kind = region.kind(ofChangeFrom: baseline, to: next)
    if next == .outside {
      if baseline == .inside {
        leftBy = cause
        if cause == .silence, evidence?.lastSeen == since { history.noteStray() }
      }
      clock = .stopped
      recent = RecentAdapters(at: time)
    }
    state = next
    since = time
    if next != .unknown { remembered = next }
    progress.change { $0.stateChanged() }
    return RegionChange(kind: kind, time: time, cause: cause)
  }
}

/// The adapters whose sightings recently satisfied a region.
///
/// Recent means within half an exit delay to one exit delay before the last sighting that satisfied the region. During silence the adapters
/// remain. Two sets take turns of half an exit delay, so that noting a sighting costs the same however many there were.
struct RecentAdapters: Hashable, Sendable {
  private var turnEnd: Instant
  private var current = AdapterSet.none
  private var previous = AdapterSet.none
  /// The adapters that were lost since the last sighting.
  private var lost = AdapterSet.none

  init(at time: Instant) {
    turnEnd = time
  }

  /// The recent adapters; empty before the first sighting, when no adapter is known to hear the region.
  var adapters: AdapterSet { current.union(previous) }

  /// Whether a turn is over, so that the caller must call `takeTurns` before `note`.
  @inline(__always)  // a part of every sighting
  func isTurnOver(at time: Instant) -> Bool { time >= turnEnd }

  @inline(__always)  // a part of every sighting
  mutating func note(_ adapter: AdapterSet) {
    current.formUnion(adapter)
    lost = .none
  }

  /// Returns whether one of the recent adapters is lost for the first time since the last sighting.
  /// The other adapters then need time to hear its beacons. An adapter that is lost repeatedly must not keep a region forever.
  mutating func lose(_ adapters: AdapterSet) -> Bool {
    let new = adapters.intersection(self.adapters).subtracting(lost)
    lost.formUnion(new)
    return !new.isEmpty
  }

  mutating func takeTurns(at time: Instant, exitDelay: Span) {
    let turn = Span(microseconds: exitDelay.microseconds / 2)
    let isNext = time < turnEnd + turn
    previous = isNext ? current : .none
    current = .none
    turnEnd = (isNext ? turnEnd : time) + turn
  }
}

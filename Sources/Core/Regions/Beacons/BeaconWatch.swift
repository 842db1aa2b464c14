import BeaconAdvertising
import Events
import Instants
import Ranging

/// The state machine of one beacon region: sightings and instants in, transitions out.
///
/// What the region *was* and whether that is still *certain* are two things, so that a region made unknown by a dead receiver remembers:
/// nobody who never left enters again, and who left meanwhile exits once.
public struct BeaconWatch: Sendable {
  // What a sighting touches stands first and together: with many regions, memory is what it waits for.
  var clock = Clock.stopped
  public internal(set) var state: RegionState
  /// The last state that was certain; `unknown` before there was one.
  var remembered = RegionState.unknown
  /// Why whoever was inside is not any more; nil for nobody.
  var leftBy: Event.Cause?
  /// Nil for a region for which being heard is all.
  var progress: Rare<ConditionProgress>
  /// Silence for this long is an exit: what the region asks for, or more where it has learned that more is needed.
  public internal(set) var exitDelay: Span
  var recent: RecentAdapters
  var history: RegionHistory
  var evidence: BeaconEvidence?
  /// When the state last changed.
  public internal(set) var since: Instant
  public internal(set) var region: BeaconRegion

  /// Counts silence.
  enum Clock {
    /// There is nothing to count: the region is outside, or nobody can hear it.
    case stopped
    case running(until: Instant)
    /// Who hears the region is paused.
    case standing(left: Span)
  }

  /// What a step of the machine brought: small, because most steps bring nothing.
  enum Step {
    case changed(RegionChange)
    /// The deadline may be nearer than it was.
    case nearer
  }

  init(region: BeaconRegion, at time: Instant, _ reception: AdapterReception) {
    self.region = region
    state = region.assumed
    since = time
    exitDelay = region.exitDelay
    recent = RecentAdapters(at: time)
    history = RegionHistory(at: time)
    progress = Rare(region.isPlain ? nil : ConditionProgress(at: time))
    resume(with: exitDelay, at: time, reception)
  }
}

extension BeaconWatch {
  /// When silence will have lasted for the exit delay; `.never` while no clock runs.
  public var deadline: Instant {
    if case .running(let deadline) = clock { deadline } else { .never }
  }

  /// The last sighting that satisfied the region.
  public var lastSatisfied: BeaconEvidence? { evidence }

  /// The last beacon that could not count because its distance is unknown.
  public var withoutDistance: BeaconEvidence? { progress.value?.withoutDistance }

  /// How often it was left or entered without need.
  public func flapping(at time: Instant) -> Flapping {
    var history = history
    history.pass(to: time)
    return Flapping(history, of: .beacon(region))
  }

  /// What the region was when that was last certain; what it is assumed to be before.
  var baseline: RegionState { remembered == .unknown ? region.assumed : remembered }

  /// Lets the exit clock run out at its deadline.
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

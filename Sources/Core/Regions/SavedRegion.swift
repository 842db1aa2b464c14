import Instants

/// What outlives the process of a region: plain values, with times of the wall clock.
public struct SavedRegion: Hashable, Sendable {
  public var identifier: String
  public var constraint: BeaconConstraint
  public var state: RegionState
  /// The last state that was certain; `unknown` when there was none.
  public var remembered: RegionState
  /// When `state` last changed.
  public var since: Instant
  public var lastSatisfied: BeaconEvidence?
  public var history: RegionHistory
  /// How much longer the visit has to last before its dwell is told of; nil when nobody waits for it.
  public var dwellLeft: Span?

  public init(
    identifier: String, constraint: BeaconConstraint, state: RegionState, remembered: RegionState, since: Instant,
    lastSatisfied: BeaconEvidence? = nil, history: RegionHistory, dwellLeft: Span? = nil
  ) {
    self.identifier = identifier
    self.constraint = constraint
    self.state = state
    self.remembered = remembered
    self.since = since
    self.lastSatisfied = lastSatisfied
    self.history = history
    self.dwellLeft = dwellLeft
  }
}

extension RegionWatch {
  /// What there is to keep.
  ///
  /// - Parameters:
  ///   - now: the engine's.
  ///   - wallClock: turns the engine's instants into time since the Unix epoch.
  public func saved(at now: Instant, wallClock: (Instant) -> Instant) -> SavedRegion {
    let dwellEnd = progress.value?.dwellEnd ?? .never
    // A visit of which nobody knows at the moment does not get longer.
    let dwellLeft = dwellEnd == .never ? nil : max(.zero, dwellEnd - (state == .inside ? now : since))
    return SavedRegion(
      identifier: region.identifier, constraint: region.constraint, state: state, remembered: remembered, since: wallClock(since),
      lastSatisfied: evidence.map { $0.seen(at: wallClock($0.lastSeen)) }, history: history.ending(at: wallClock(history.dayEnd)),
      dwellLeft: dwellLeft)
  }

  /// Goes on from what was saved: provisionally, which is unknown and remembering.
  ///
  /// - Parameters:
  ///   - isForgotten: nobody watched for so long that a visit of then is over.
  ///   - clock: turns time since the Unix epoch into the engine's; what it makes of a clock that was set meanwhile does no harm.
  mutating func restore(_ saved: SavedRegion, isForgotten: Bool, at time: Instant, clock engineTime: (Instant) -> Instant) -> Change? {
    since = time
    remember(saved.remembered)
    if saved.constraint == region.constraint {
      evidence = saved.lastSatisfied.map { $0.seen(at: min(time, engineTime($0.lastSeen))) }
      history = saved.history.ending(at: min(RegionHistory(at: time).dayEnd, engineTime(saved.history.dayEnd)))
      history.pass(to: time)
      updateExitDelay()
      if let left = saved.dwellLeft, region.dwell != nil { progress.change { $0.waitForDwell(until: time + left) } }
    }
    if case .running = clock { clock = .running(until: time + exitDelay) }
    return isForgotten && remembered == .inside ? change(to: .outside, at: time, cause: .outage) : nil
  }
}

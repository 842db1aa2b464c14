import Events
import Instants

/// What outlives the process of a region: plain values, with times of the wall clock.
public struct SavedRegion: Hashable, Sendable {
  public var identifier: String
  public var mark: Region.Mark
  public var state: RegionState
  /// The last state that was certain; `unknown` when there was none.
  public var remembered: RegionState
  /// When `state` last changed.
  public var since: Instant
  public var lastSatisfied: BeaconEvidence?
  public var history: RegionHistory
  /// How much longer the visit has to last before its dwell is told of, negative when it has and nobody was heard since; nil when nobody
  /// waits for it.
  public var dwellLeft: Span?

  public init(
    identifier: String, mark: Region.Mark, state: RegionState, remembered: RegionState, since: Instant,
    lastSatisfied: BeaconEvidence? = nil, history: RegionHistory, dwellLeft: Span? = nil
  ) {
    self.identifier = identifier
    self.mark = mark
    self.state = state
    self.remembered = remembered
    self.since = since
    self.lastSatisfied = lastSatisfied
    self.history = history
    self.dwellLeft = dwellLeft
  }
}

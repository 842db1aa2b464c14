import Events
import Instants

/// The state of a region that outlives the process: plain values, with times of the wall clock.
public struct SavedRegion: Hashable, Sendable {
  public var identifier: String
  public var mark: Region.Mark
  public var state: RegionState
  /// The last certain state; `unknown` if there was none.
  public var remembered: RegionState
  /// The time of the last change of `state`.
  public var since: Instant
  public var lastSatisfied: BeaconEvidence?
  public var history: RegionHistory
  /// The time left until the dwell event of the visit; `nil` if no dwell event is pending.
  /// Negative if the time has passed without a sighting since.
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

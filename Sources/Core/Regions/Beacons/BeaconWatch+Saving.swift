import Beacons
import Events
import Instants

// MARK: Saving and restoring

extension BeaconWatch {
  /// Returns the state to save.
  ///
  /// - Parameters:
  ///   - now: the engine's time.
  ///   - wallClock: converts the engine's instants into time since the Unix epoch.
  func saved(at now: Instant, wallClock: (Instant) -> Instant) -> SavedRegion {
    let dwellEnd = progress.value?.dwellEnd ?? .never
    // A visit does not get longer while its state is unknown.
    let dwellLeft = dwellEnd == .never ? nil : dwellEnd - (state == .inside ? now : since)
    return SavedRegion(
      identifier: region.identifier, mark: .beacons(region.constraint), state: state, remembered: remembered, since: wallClock(since),
      lastSatisfied: evidence.map { $0.seen(at: wallClock($0.lastSeen)) }, history: history.ending(at: wallClock(history.dayEnd)),
      dwellLeft: dwellLeft)
  }

  /// Restores a saved state provisionally: the region is unknown and remembers the saved state.
  ///
  /// - Parameters:
  ///   - isForgotten: whether the outage was so long that an earlier visit is over.
  ///   - clock: converts time since the Unix epoch into the engine's time. A wall clock that was set meanwhile does no harm.
  mutating func restore(_ saved: SavedRegion, isForgotten: Bool, at time: Instant, clock engineTime: (Instant) -> Instant) -> RegionChange?
  {
    since = time
    remember(saved.remembered)
    if saved.mark == .beacons(region.constraint) {
      evidence = saved.lastSatisfied.map { $0.seen(at: min(time, engineTime($0.lastSeen))) }
      history = saved.history.ending(at: min(RegionHistory(at: time).dayEnd, engineTime(saved.history.dayEnd)))
      history.pass(to: time)
      updateExitDelay()
      if let left = saved.dwellLeft, region.dwell != nil { progress.change { $0.waitForDwell(until: time + left) } }
    }
    switch clock {
    case .stopped: break
    case .running: clock = .running(until: time + exitDelay)
    case .paused: clock = .paused(left: exitDelay)
    }
    return isForgotten && remembered == .inside ? change(to: .outside, at: time, cause: .outage) : nil
  }
}

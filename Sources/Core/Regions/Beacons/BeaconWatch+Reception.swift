import Beacons
import Events
import Instants

// MARK: Reception

extension BeaconWatch {
  /// Applies a change of the adapters that can hear.
  ///
  /// The exit clock runs while an adapter that recently heard the region can hear, and pauses while one is paused. If all of them are lost,
  /// the region is unknown, and silence counts from the time when one can hear again. For a region without recent sightings, all adapters
  /// count. An assumed state remains.
  mutating func receive(_ next: AdapterReception, after previous: AdapterReception, at time: Instant) -> RegionChange? {
    let hasLost = recent.lose(previous.present.subtracting(next.present))
    guard audience.overlaps(next.present) else {
      clock = .stopped
      return state == .unknown || remembered == .unknown ? nil : change(to: .unknown, at: time, cause: .receiverLost)
    }
    if state == .outside && remembered == .outside { return nil }
    let left: Span =
      switch clock {
      case .stopped: exitDelay
      case .running(let deadline): deadline - time
      case .paused(let left): left
      }
    resume(with: hasLost ? max(left, exitDelay) : left, at: time, next)
    return nil
  }

  /// The adapters whose silence counts.
  private var audience: AdapterSet { recent.adapters.isEmpty ? .all : recent.adapters }

  mutating func resume(with left: Span, at time: Instant, _ reception: AdapterReception) {
    if audience.overlaps(reception.hearing) {
      clock = .running(until: time + left)
    } else if audience.overlaps(reception.paused) {
      clock = .paused(left: left)
    } else {
      clock = .stopped
    }
  }
}

// MARK: Redefining

extension BeaconWatch {
  /// Returns a watch for another definition with the same name, without an event.
  ///
  /// With the same beacons, the state remains, and past silence still counts. With other beacons, the state is unknown until they are heard
  /// or were silent for an exit delay. The last certain state is remembered, so that enters and exits still alternate.
  func redefined(as region: BeaconRegion, at time: Instant, _ reception: AdapterReception) -> BeaconWatch {
    guard region.constraint == self.region.constraint else {
      var next = BeaconWatch(region: region, at: time, reception)
      next.remember(remembered)
      return next
    }
    var next = self
    next.region = region
    if remembered == .unknown, state != region.assumed { (next.state, next.since) = (region.assumed, time) }
    next.progress = BoxedOptional(region.isPlain ? nil : ConditionProgress(at: time))
    if state == .inside || remembered == .inside, let end = dwellEnd(of: region) { next.progress.change { $0.waitForDwell(until: end) } }
    next.updateExitDelay()
    let added = next.exitDelay - exitDelay
    switch clock {
    case .stopped: break
    case .running(let deadline): next.clock = .running(until: max(time, deadline + added))
    case .paused(let left): next.clock = .paused(left: max(.zero, left + added))
    }
    return next
  }

  /// Makes the region unknown and remembers its last certain state.
  mutating func remember(_ state: RegionState) {
    guard state != .unknown else { return }
    remembered = state
    self.state = .unknown
  }

  /// Returns when the current visit reaches the dwell of another definition; `nil` if no dwell event is pending.
  private func dwellEnd(of region: BeaconRegion) -> Instant? {
    guard let dwell = region.dwell else { return nil }
    guard let before = self.region.dwell else { return since + dwell }
    return progress.value.flatMap { $0.dwellEnd == .never ? nil : $0.dwellEnd + (dwell - before) }
  }
}

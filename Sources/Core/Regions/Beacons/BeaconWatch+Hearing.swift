import Events
import Instants
import Ranging

// MARK: Sightings

extension BeaconWatch {
  /// Applies a sighting of a beacon of this region.
  ///
  /// - Parameters:
  ///   - heard: passed by reference, because a copy of its track costs as much as the rest of the function.
  ///   - match: the index of this region in the beacon's matches.
  ///   - nearest: noted before, if a region requires it.
  @inline(__always)
  mutating func hear(
    _ heard: inout HeardBeacon, _ match: Int, by adapter: AdapterSet, _ reception: AdapterReception, _ nearest: borrowing NearestBeacons
  ) -> Step? {
    progress.isEmpty
      ? satisfy(by: BeaconEvidence(&heard.track, by: heard.track.method), at: heard.track.lastSeen, adapter, reception, cause: .sighting)
      : judge(&heard, match, by: adapter, reception, nearest)
  }

  /// Returns the measurements of a beacon with the distance by which the region decides.
  func evidence(_ track: inout BeaconTrack) -> BeaconEvidence {
    BeaconEvidence(&track, by: region.nearness?.method(track.method) ?? track.method)
  }

  /// The initial progress of a beacon that was not heard in the region before.
  var firstApproach: BoxedOptional<Approach> { BoxedOptional(region.nearness == nil ? nil : Approach()) }

  /// Forgets a tracked beacon.
  mutating func forget(_ approach: BoxedOptional<Approach>) {
    if let approach = approach.value { progress.change { $0.forget(approach) } }
  }

  /// Applies a sighting in a region with further conditions.
  @inline(never)  // most regions have none, and the caller is a part of every sighting
  private mutating func judge(
    _ beacon: inout HeardBeacon, _ match: Int, by adapter: AdapterSet, _ reception: AdapterReception, _ nearest: borrowing NearestBeacons
  ) -> Step? {
    var heard = evidence(&beacon.track)
    let time = heard.lastSeen
    if let minimum = region.minimumRSSI, heard.rssi ?? -.infinity < minimum { return nil }
    var cause = Event.Cause.sighting
    if let nearness = region.nearness {
      cause = .approach
      var mayEnter = true
      if nearness.isNearestOnly, let distance = beacon.track.distance { mayEnter = nearest.permits(region, at: distance) }
      let isLocated = beacon.matches[match].approach.value.map { time < $0.locatedUntil } ?? false
      switch beacon.matches[match].approach.change({ judge(heard, nearness, mayEnter: mayEnter, &$0) }) ?? .nothing {
      case .nothing: return nil
      case .departed: return .changed(change(to: .outside, at: time, cause: .departure))
      case .satisfied: break
      }
      // The distance of the last position is the better evidence, as long as it is about the same beacon.
      if isLocated, let last = evidence, last.beacon == heard.beacon { heard = last.seen(at: time) }
    }
    if baseline != .inside, let entry = region.entry, progress.change({ $0.isEnough(entry, at: time) }) == false { return nil }
    let wasInside = state == .inside
    let step = satisfy(by: heard, at: time, adapter, reception, cause: cause)
    if wasInside, progress.change({ $0.hasDwelt(at: time) }) == true {
      return .changed(RegionChange(kind: .dwell, time: time, cause: .stay))
    }
    return step
  }

  private mutating func judge(
    _ heard: BeaconEvidence, _ nearness: BeaconRegion.Nearness, mayEnter: Bool, _ approach: inout Approach
  ) -> ConditionProgress.Verdict {
    let (isInside, exitDelay) = (baseline == .inside, exitDelay)
    if heard.lastSeen < approach.locatedUntil {
      return progress.change { $0.hearLocated(&approach, at: heard.lastSeen, isInside: isInside, exitDelay: exitDelay) } ?? .nothing
    }
    guard let estimate = heard.estimate else {
      progress.change { $0.noteUnknownDistance(heard) }
      return .nothing
    }
    return progress.change {
      $0.judge(estimate, nearness, at: heard.lastSeen, isInside: isInside, mayEnter: mayEnter, exitDelay: exitDelay, &approach)
    } ?? .nothing
  }
}

// MARK: The indoor position

extension BeaconWatch {
  /// Applies an estimate of the indoor position.
  ///
  /// - Parameter probability: the probability that the nearest beacon is within the distance: the entering one outside, the leaving one
  ///   inside.
  mutating func locate(
    _ probability: Double, by heard: BeaconEvidence, at time: Instant, mayEnter: Bool, _ reception: AdapterReception
  ) -> Step? {
    guard let nearness = region.nearness else { return nil }
    let isInside = baseline == .inside
    switch progress.change({ $0.judge(probability, nearness, at: time, isInside: isInside, mayEnter: mayEnter) }) ?? .nothing {
    case .nothing: return nil
    case .departed: return .changed(change(to: .outside, at: time, cause: .departure))
    case .satisfied: break
    }
    if !isInside, let entry = region.entry, progress.change({ $0.isEnough(entry, at: time) }) == false { return nil }
    let adapter = heard.adapter.map { AdapterSet($0) } ?? .none
    return satisfy(by: heard, at: time, adapter, reception, cause: .approach)
  }
}

// MARK: Satisfying the region

extension BeaconWatch {
  /// Applies a sighting that satisfies the region.
  ///
  /// - Parameter heard: an autoclosure, so that the evidence is written directly to where it is kept.
  @inline(__always)  // a part of every sighting
  private mutating func satisfy(
    by heard: @autoclosure () -> BeaconEvidence, at time: Instant, _ adapter: AdapterSet, _ reception: AdapterReception,
    cause: Event.Cause
  ) -> Step? {
    var step = recent.isTurnOver(at: time) ? takeTurns(at: time) : nil
    recent.note(adapter)
    if state == .inside && remembered == .inside, case .running(let deadline) = clock {
      // A silence that did not end in an exit is a gap. Its deadline is still ahead, because it would have expired otherwise.
      let gap = Span(microseconds: exitDelay.microseconds &- (deadline.microseconds &- time.microseconds))
      if history.isLongest(gap) { learn(gap) }
    } else {
      // A clock that did not run has no deadline yet.
      step = state == .inside && remembered == .inside ? .nearer : arrive(at: time, cause: cause).map { .changed($0) } ?? .nearer
    }
    evidence = heard()
    // An adapter that is not known to hear, such as one whose reception just changed, has heard the beacon all the same.
    let isHeard = adapter.overlaps(reception.hearing) || recent.adapters.overlaps(reception.hearing)
    clock = isHeard ? .running(until: time + exitDelay) : .paused(left: exitDelay)
    return step
  }

  /// Begins or resumes a visit in a region that was not satisfied, or not for certain.
  private mutating func arrive(at time: Instant, cause: Event.Cause) -> RegionChange? {
    if remembered == .inside {
      let unknown = time - since
      progress.change { $0.resumeVisit(after: unknown) }
    } else {
      if baseline == .outside, let leftBy, let evidence {
        history.noteReturn(after: time - evidence.lastSeen, exitDelay: region.exitDelay, bySilence: leftBy == .silence)
      }
      let dwell = region.dwell
      progress.change { $0.beginVisit(at: time, dwell: dwell) }
    }
    leftBy = nil
    guard state != .inside else {
      remembered = .inside
      return nil
    }
    return change(to: .inside, at: time, cause: cause)
  }

  private mutating func takeTurns(at time: Instant) -> Step? {
    recent.takeTurns(at: time, exitDelay: exitDelay)
    guard time >= history.dayEnd else { return nil }
    history.pass(to: time)
    let previous = exitDelay
    updateExitDelay()
    return exitDelay < previous ? .nearer : nil
  }

  private mutating func learn(_ gap: Span) {
    history.learn(gap)
    updateExitDelay()
  }

  mutating func updateExitDelay() {
    exitDelay = region.learnsExitDelay ? history.exitDelay(atLeast: region.exitDelay) : region.exitDelay
  }
}

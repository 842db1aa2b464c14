import Instants
import Ranging

// MARK: Sightings

extension RegionWatch {
  /// Takes a sighting of a beacon of this region.
  @inline(__always)  // a call would copy the track
  mutating func hear(_ track: BeaconTrack, by adapter: AdapterSet, _ reception: AdapterReception, approach: inout Approach) -> Step? {
    progress.isEmpty
      ? satisfy(by: track, adapter, reception, cause: .sighting)
      : judge(track, by: adapter, reception, approach: &approach)
  }

  /// A beacon that was tracked is forgotten.
  mutating func forget(_ approach: Approach) {
    progress.change { $0.forget(approach) }
  }

  /// Takes a sighting where being heard is not enough.
  private mutating func judge(
    _ track: BeaconTrack, by adapter: AdapterSet, _ reception: AdapterReception, approach: inout Approach
  ) -> Step? {
    let time = track.lastSeen
    if let minimum = region.minimumRSSI, track.filter?.level ?? -.infinity < minimum { return nil }
    var cause = RegionTransition.Cause.sighting
    if let nearness = region.nearness {
      cause = .approach
      switch judge(track, nearness, &approach) {
      case .nothing: return nil
      case .departed: return .changed(change(to: .outside, at: time, cause: .departure))
      case .satisfied: break
      }
    }
    if baseline != .inside, let entry = region.entry, progress.change({ $0.isEnough(entry, at: time) }) == false { return nil }
    let wasInside = state == .inside
    let step = satisfy(by: track, adapter, reception, cause: cause)
    if wasInside, progress.change({ $0.hasDwelt(at: time) }) == true {
      return .changed(Change(kind: .dwell, time: time, cause: .stay))
    }
    return step
  }

  private mutating func judge(
    _ track: BeaconTrack, _ nearness: BeaconRegion.Nearness, _ approach: inout Approach
  ) -> ConditionProgress.Verdict {
    guard let distance = track.distance else {
      progress.change { $0.noteUnknownDistance(BeaconEvidence(track)) }
      return .nothing
    }
    let (isInside, exitDelay) = (baseline == .inside, exitDelay)
    return progress.change {
      $0.judge(distance, nearness, at: track.lastSeen, isInside: isInside, exitDelay: exitDelay, &approach)
    } ?? .nothing
  }
}

// MARK: What satisfies the region

extension RegionWatch {
  @inline(__always)  // a part of every sighting
  private mutating func satisfy(
    by track: BeaconTrack, _ adapter: AdapterSet, _ reception: AdapterReception, cause: RegionTransition.Cause
  ) -> Step? {
    let time = track.lastSeen
    var step = recent.isTurnOver(at: time) ? takeTurns(at: time) : nil
    recent.note(adapter)
    if state == .inside && remembered == .inside {
      // A silence that did not end in an exit is a gap.
      if case .running(let deadline) = clock, history.isLongest(exitDelay - (deadline - time)) { learn(exitDelay - (deadline - time)) }
    } else if let change = arrive(at: time, cause: cause) {
      step = .changed(change)
    }
    evidence = BeaconEvidence(track)
    // An adapter that is not known to hear, as at the edge of a change, heard it all the same.
    let isHeard = adapter.overlaps(reception.hearing) || recent.adapters.overlaps(reception.hearing)
    clock = isHeard ? .running(until: time + exitDelay) : .standing(left: exitDelay)
    return step
  }

  /// The region is satisfied and was not, or not for certain.
  private mutating func arrive(at time: Instant, cause: RegionTransition.Cause) -> Change? {
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

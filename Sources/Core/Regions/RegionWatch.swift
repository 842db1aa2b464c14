import BeaconAdvertising
import Instants
import Ranging

/// The state machine of one beacon region: sightings and instants in, transitions out.
///
/// What the region *was* and whether that is still *certain* are two things, so that a region made unknown by a dead receiver remembers:
/// nobody who never left enters again, and who left meanwhile exits once.
public struct RegionWatch: Sendable {
  public private(set) var region: BeaconRegion
  public private(set) var state = RegionState.unknown
  /// When the state last changed.
  public private(set) var since: Instant
  /// The last sighting that satisfied the region.
  public private(set) var lastSatisfied: BeaconEvidence?
  /// The last beacon that could not count because its distance is unknown.
  public private(set) var withoutDistance: BeaconEvidence?

  /// What a step of the machine brought: small, because most steps bring nothing.
  struct Change {
    let kind: RegionTransition.Kind
    let time: Instant
    let cause: RegionTransition.Cause
  }

  /// Counts silence.
  private enum Clock {
    /// There is nothing to count: the region is outside, or nobody can hear it.
    case stopped
    case running(until: Instant)
    /// Who hears the region is paused.
    case standing(left: Span)
  }

  /// The last state that was certain; `unknown` before there was one.
  private var remembered = RegionState.unknown
  private var clock: Clock
  private var recent: RecentAdapters
  private var closeBeacons: CloseBeacons
  private var departure = Hold()

  init(region: BeaconRegion, at time: Instant, _ reception: AdapterReception) {
    self.region = region
    since = time
    clock = .stopped
    recent = RecentAdapters(at: time)
    closeBeacons = CloseBeacons(at: time)
    resume(with: region.exitDelay, at: time, reception)
  }

  /// When silence will have lasted for the exit delay; `.never` while no clock runs.
  public var deadline: Instant {
    if case .running(let deadline) = clock { deadline } else { .never }
  }
}

extension RegionWatch {
  /// Takes a sighting of a beacon of this region.
  @inline(__always)  // a call would copy the track
  mutating func hear(_ track: BeaconTrack, by adapter: AdapterSet, _ reception: AdapterReception, approach: inout Approach) -> Change? {
    guard let nearness = region.nearness else {
      satisfy(by: track, adapter, reception)
      return state == .inside ? nil : change(to: .inside, at: track.lastSeen, cause: .sighting)
    }
    guard let distance = track.distance else {
      withoutDistance = BeaconEvidence(track)
      return nil
    }
    withoutDistance = nil
    let time = track.lastSeen
    let isClose = distance <= nearness.leaving
    closeBeacons.note(isClose, &approach.closeness, at: time, exitDelay: region.exitDelay)
    let hasArrived = approach.arrival.note(distance <= nearness.entry, at: time, for: nearness.hold)
    if remembered == .inside {
      if isClose {
        _ = departure.note(false, at: time, for: nearness.hold)
        satisfy(by: track, adapter, reception)
        return state == .inside ? nil : change(to: .inside, at: time, cause: .approach)
      }
      guard departure.note(closeBeacons.isEmpty, at: time, for: nearness.hold) else { return nil }
      return change(to: .outside, at: time, cause: .departure)
    }
    guard hasArrived else { return nil }
    satisfy(by: track, adapter, reception)
    return change(to: .inside, at: time, cause: .approach)
  }

  /// Lets the exit clock run out at its deadline.
  mutating func expire() -> Change? {
    state == .outside ? nil : change(to: .outside, at: deadline, cause: .silence)
  }

  /// A beacon that was tracked is forgotten.
  mutating func forget(_ approach: Approach) {
    closeBeacons.remove(approach.closeness)
  }

  /// Goes on with another definition of the same place, without an event. Silence that was counted stays counted.
  func redefined(as region: BeaconRegion, at time: Instant) -> RegionWatch {
    var next = self
    next.region = region
    next.withoutDistance = nil
    next.closeBeacons = CloseBeacons(at: time)
    next.departure = Hold()
    switch clock {
    case .stopped: break
    case .running(let deadline): next.clock = .running(until: max(time, deadline + (region.exitDelay - self.region.exitDelay)))
    case .standing(let left): next.clock = .standing(left: max(.zero, left + (region.exitDelay - self.region.exitDelay)))
    }
    return next
  }

  @inline(__always)  // a part of every sighting
  private mutating func satisfy(by track: BeaconTrack, _ adapter: AdapterSet, _ reception: AdapterReception) {
    lastSatisfied = BeaconEvidence(track)
    recent.note(adapter, at: track.lastSeen, exitDelay: region.exitDelay)
    // An adapter that is not known to hear, as at the edge of a change, heard it all the same.
    let isHeard = adapter.overlaps(reception.hearing) || recent.adapters.overlaps(reception.hearing)
    clock = isHeard ? .running(until: track.lastSeen + region.exitDelay) : .standing(left: region.exitDelay)
  }

  private mutating func change(to next: RegionState, at time: Instant, cause: RegionTransition.Cause) -> Change {
    let kind: RegionTransition.Kind =
      switch (remembered, next) {
      case (.unknown, .inside), (.outside, .inside): region.notifyOnEntry ? .enter : .state
      case (.inside, .outside): region.notifyOnExit ? .exit : .state
      default: .state
      }
    state = next
    since = time
    if next != .unknown { remembered = next }
    if next == .outside {
      clock = .stopped
      recent = RecentAdapters(at: time)
    }
    departure = Hold()
    return Change(kind: kind, time: time, cause: cause)
  }
}

// MARK: Who can hear it

extension RegionWatch {
  /// Some adapter can hear from now on, or no longer can.
  ///
  /// The clock runs while an adapter that recently heard the region hears, and stands while one is paused. While none of them will hear, the region is
  /// unknown, and when one does again silence counts from then. A region that nobody heard goes by all adapters.
  mutating func receive(_ next: AdapterReception, after previous: AdapterReception, at time: Instant) -> Change? {
    let hasLost = recent.lose(previous.present.subtracting(next.present))
    guard audience.overlaps(next.present) else {
      clock = .stopped
      return state == .unknown ? nil : change(to: .unknown, at: time, cause: .receiverLost)
    }
    guard state != .outside else { return nil }
    let left: Span =
      switch clock {
      case .stopped: region.exitDelay
      case .running(let deadline): deadline - time
      case .standing(let left): left
      }
    resume(with: hasLost ? max(left, region.exitDelay) : left, at: time, next)
    return nil
  }

  /// The adapters whose silence counts.
  private var audience: AdapterSet { recent.adapters.isEmpty ? .all : recent.adapters }

  private mutating func resume(with left: Span, at time: Instant, _ reception: AdapterReception) {
    if audience.overlaps(reception.hearing) {
      clock = .running(until: time + left)
    } else if audience.overlaps(reception.paused) {
      clock = .standing(left: left)
    }
  }
}

import BeaconAdvertising
import Instants
import Ranging

/// The state machine of one beacon region: sightings and instants in, transitions out.
///
/// What the region *was* and whether that is still *certain* are two things, so that a region made unknown by a dead receiver remembers:
/// nobody who never left enters again, and who left meanwhile exits once.
public struct RegionWatch: Sendable {
  public let region: BeaconRegion
  public private(set) var state = RegionState.unknown
  /// When the state last changed.
  public private(set) var since: Instant
  /// When silence will have lasted for the exit delay; `.never` while no clock runs.
  public private(set) var deadline: Instant
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

  /// The last state that was certain; `unknown` before there was one.
  private var remembered = RegionState.unknown
  private var closeBeacons: CloseBeacons
  private var departure = Hold()

  public init(region: BeaconRegion, at time: Instant) {
    self.region = region
    since = time
    deadline = time + region.exitDelay
    closeBeacons = CloseBeacons(at: time)
  }
}

extension RegionWatch {
  /// Takes a sighting of a beacon of this region.
  @inline(__always)  // a call would copy the track
  mutating func hear(_ track: BeaconTrack, approach: inout Approach) -> Change? {
    guard let nearness = region.nearness else {
      satisfy(by: track)
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
        satisfy(by: track)
        return state == .inside ? nil : change(to: .inside, at: time, cause: .approach)
      }
      guard departure.note(closeBeacons.isEmpty, at: time, for: nearness.hold) else { return nil }
      return change(to: .outside, at: time, cause: .departure)
    }
    guard hasArrived else { return nil }
    satisfy(by: track)
    return change(to: .inside, at: time, cause: .approach)
  }

  /// Lets the exit clock run out at its deadline.
  mutating func expire() -> Change? {
    state == .outside ? nil : change(to: .outside, at: deadline, cause: .silence)
  }

  /// No receiver can hear any more: the state is unknown until one can.
  mutating func loseHearing(at time: Instant) -> Change? {
    deadline = .never
    return state == .unknown ? nil : change(to: .unknown, at: time, cause: .receiverLost)
  }

  /// A receiver hears again: silence counts from now.
  mutating func regainHearing(at time: Instant) {
    if deadline == .never && state == .unknown { deadline = time + region.exitDelay }
  }

  /// Time in which nothing could be heard does not count.
  mutating func postpone(by span: Span) {
    deadline += span
  }

  /// A beacon that was tracked is forgotten.
  mutating func forget(_ approach: Approach) {
    closeBeacons.remove(approach.closeness)
  }

  /// Goes on with another definition of the same place, without an event.
  func redefined(as region: BeaconRegion, at time: Instant) -> RegionWatch {
    var next = RegionWatch(region: region, at: time)
    (next.state, next.remembered, next.since, next.lastSatisfied) = (state, remembered, since, lastSatisfied)
    next.deadline = state == .outside ? .never : (lastSatisfied?.lastSeen ?? since) + region.exitDelay
    return next
  }

  private mutating func satisfy(by track: BeaconTrack) {
    lastSatisfied = BeaconEvidence(track)
    deadline = track.lastSeen + region.exitDelay
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
    if next == .outside { deadline = .never }
    departure = Hold()
    return Change(kind: kind, time: time, cause: cause)
  }
}

import Events
import Instants

/// A region that the location of the device decides about: a circle on the earth, or a place in a venue.
public protocol AreaRegion: RegionTerms, Hashable, Sendable {
  /// The time for which the location must agree before the region is entered.
  var entryHold: Span { get }
  /// The time for which the location must agree before the region is left.
  var exitHold: Span { get }

  /// The region with its kind.
  var region: Region { get }
  /// Returns whether the other definition describes the same area.
  func isSameArea(as other: Self) -> Bool
  /// Returns whether a saved mark describes the area, within the precision of its storage.
  func isMarked(by saved: Region.Mark) -> Bool
}

/// The place of the device in relation to an area, by a location.
public enum AreaPosition: Hashable, Sendable {
  case inner
  /// The border, where the region keeps its state.
  case border
  case outer
}

public typealias CircleWatch = AreaWatch<CircularRegion>
public typealias PlaceWatch = AreaWatch<PlaceRegion>

/// The state machine of one area: positions and instants in, transitions out.
///
/// As for beacons, the last certain *state* is kept apart from whether it is still *certain*. A change that is not a crossing needs no
/// hold: a region returns from unknown to its last certain state at once.
public struct AreaWatch<Area: AreaRegion>: Sendable {
  public internal(set) var region: Area
  public private(set) var since: Instant
  public private(set) var state: RegionState
  /// The last certain state; `unknown` before there was one.
  private(set) var remembered = RegionState.unknown
  /// The state that the fixes lead to, which counts from `arrival` on; `unknown` for no change.
  private var destination = RegionState.unknown
  private var arrival = Instant.never
  private var visits = BoxedOptional<Visits>(nil)

  /// The data of a region that was entered at least once.
  fileprivate struct Visits {
    var history: RegionHistory
    /// The time at which the visit reaches the region's dwell; `.never` if no dwell event is pending.
    var dwellEnd = Instant.never
    /// The end of the last visit; `.never` during a visit.
    var left = Instant.never
  }

  init(region: Area, at time: Instant, remembering remembered: RegionState = .unknown) {
    self.region = region
    self.remembered = remembered
    since = time
    state = remembered == .unknown ? region.assumed : .unknown
  }
}

extension AreaWatch {
  /// The last certain state, or the assumed state before there was one.
  var baseline: RegionState { remembered == .unknown ? region.assumed : remembered }

  /// Whether the device is certainly outside and not moving in, so that only a fix inside changes the state.
  var isCertainlyOutside: Bool { state == .outside && remembered == .outside && destination == .unknown }

  /// Whether the location has put the device inside, but not yet for the length of the hold.
  public var isGoingIn: Bool { destination == .inside }

  /// The time of the next change without a fix; `.never` while only fixes change something.
  var deadline: Instant {
    min(arrival, state == .inside ? visits.value?.dwellEnd ?? .never : .never)
  }

  /// Returns how often the region was left or entered needlessly.
  public func flapping(at time: Instant) -> Flapping {
    var history = visits.value?.history ?? RegionHistory(at: time)
    history.pass(to: time)
    return Flapping(history, of: region.region)
  }

  /// Applies the position that a fix gives. Deadlines up to its time must have expired before.
  mutating func take(_ position: AreaPosition, at time: Instant) -> RegionChange? {
    switch (position, baseline) {
    case (.inner, .outside), (.inner, .unknown): return head(for: .inside, at: time)
    case (.outer, .inside): return head(for: .outside, at: time)
    case (.outer, .unknown): return settle(.outside, at: time)
    case (.border, .unknown): stay()
    case (.inner, .inside), (.border, .inside), (.outer, .outside), (.border, .outside): return settle(baseline, at: time)
    }
    return nil
  }

  /// Begins a hold, after which the region changes unless a fix contradicts.
  private mutating func head(for destination: RegionState, at time: Instant) -> RegionChange? {
    guard self.destination != destination else { return nil }
    self.destination = destination
    arrival = time + (destination == .inside ? region.entryHold : region.exitHold)
    return arrival == time ? arrive() : nil
  }

  private mutating func stay() {
    (destination, arrival) = (.unknown, .never)
  }

  /// Applies a fix that agrees with the last certain state or is the first to put the device outside.
  private mutating func settle(_ state: RegionState, at time: Instant) -> RegionChange? {
    stay()
    let isNew = remembered == .unknown
    remembered = state
    // An assumed visit begins now, and so does a visit without saved data.
    if state == .inside, isNew || visits.isEmpty { enter(at: time) }
    guard self.state != state else { return nil }
    let unknown = time - since
    if state == .inside { visits.change { $0.resume(after: unknown) } }
    return change(to: state, kind: .state, at: time, cause: .fix)
  }

  /// Handles the deadline.
  mutating func expire() -> RegionChange? {
    let time = deadline
    guard arrival == time else {
      visits.change { $0.dwellEnd = .never }
      return RegionChange(kind: .dwell, time: time, cause: .stay)
    }
    return arrive()
  }

  /// Changes to the state that the fixes have led to for the length of the hold.
  private mutating func arrive() -> RegionChange {
    let (next, time) = (destination, arrival)
    let kind = region.kind(ofChangeFrom: baseline, to: next)
    stay()
    if next == .inside { enter(at: time) } else { visits.change { $0.end(at: time) } }
    remembered = next
    return change(to: next, kind: kind, at: time, cause: next == .inside ? .approach : .departure)
  }

  /// Makes the region unknown because no fix is valid for it any more. An assumed state remains.
  mutating func loseFixes(at time: Instant) -> RegionChange? {
    stay()
    guard state != .unknown, remembered != .unknown else { return nil }
    return change(to: .unknown, kind: .state, at: time, cause: .locationLost)
  }

  private mutating func enter(at time: Instant) {
    let (dwell, exitHold) = (region.dwell, region.exitHold)
    if visits.isEmpty { visits = BoxedOptional(Visits(history: RegionHistory(at: time))) }
    visits.change { $0.begin(at: time, dwell: dwell, exitHold: exitHold) }
  }

  private mutating func change(
    to next: RegionState, kind: Event.Kind, at time: Instant, cause: Event.Cause
  ) -> RegionChange {
    (state, since) = (next, time)
    return RegionChange(kind: kind, time: time, cause: cause)
  }
}

extension AreaWatch.Visits {
  fileprivate mutating func begin(at time: Instant, dwell: Span?, exitHold: Span) {
    history.pass(to: time)
    if left != .never { history.noteReturn(after: time - left, exitDelay: exitHold, bySilence: false) }
    left = .never
    dwellEnd = dwell.map { time + $0 } ?? .never
  }

  fileprivate mutating func end(at time: Instant) {
    (left, dwellEnd) = (time, .never)
  }

  /// Resumes a visit after a span in which the state was unknown.
  fileprivate mutating func resume(after span: Span) {
    if dwellEnd != .never { dwellEnd += span }
  }
}

// MARK: Redefining, saving and restoring

extension AreaWatch {
  /// Returns a watch for another definition with the same name, without an event.
  /// If the circle differs, the state is unknown until a fix decides, and the last certain state is remembered. Enters and exits thus still
  /// alternate.
  func redefined(as region: Area, at time: Instant) -> AreaWatch {
    var next = self
    next.region = region
    if !region.isSameArea(as: self.region) {
      next.stay()
      if remembered != .unknown { (next.state, next.since) = (.unknown, time) }
    }
    if remembered == .unknown, next.state != region.assumed { (next.state, next.since) = (region.assumed, time) }
    if remembered == .inside { next.visits.change { $0.dwellEnd = dwellEnd(of: region, at: time) } }
    return next
  }

  /// Returns when the current visit reaches the dwell of another definition; `.never` if no dwell event is pending.
  private func dwellEnd(of region: Area, at time: Instant) -> Instant {
    guard let dwell = region.dwell else { return .never }
    guard let before = self.region.dwell else { return max(time, since + dwell) }
    return visits.value.map { $0.dwellEnd == .never ? .never : max(time, $0.dwellEnd + (dwell - before)) } ?? .never
  }

  func saved(at now: Instant, wallClock: (Instant) -> Instant) -> SavedRegion {
    let history = visits.value?.history ?? RegionHistory(at: now)
    let dwellEnd = visits.value?.dwellEnd ?? .never
    return SavedRegion(
      identifier: region.identifier, mark: region.region.mark, state: state, remembered: remembered, since: wallClock(since),
      history: history.ending(at: wallClock(history.dayEnd)),
      dwellLeft: dwellEnd == .never ? nil : dwellEnd - (state == .inside ? now : since))
  }

  /// Restores a saved state provisionally, as for beacons: the region is unknown and remembers the saved state.
  mutating func restore(_ saved: SavedRegion, isForgotten: Bool, at time: Instant, clock engineTime: (Instant) -> Instant) -> RegionChange?
  {
    since = time
    if saved.remembered != .unknown { (remembered, state) = (saved.remembered, .unknown) }
    if region.isMarked(by: saved.mark), remembered == .inside || !saved.history.isEmpty {
      var history = saved.history.ending(at: min(RegionHistory(at: time).dayEnd, engineTime(saved.history.dayEnd)))
      history.pass(to: time)
      visits = BoxedOptional(Visits(history: history))
      if remembered == .inside, region.dwell != nil, let left = saved.dwellLeft { visits.change { $0.dwellEnd = time + left } }
    }
    guard isForgotten, remembered == .inside else { return nil }
    remembered = .outside
    return change(to: .outside, kind: region.kind(ofChangeFrom: .inside, to: .outside), at: time, cause: .outage)
  }
}

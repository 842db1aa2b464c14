import Events
import Geodesy
import Instants

/// The state machine of one circular region: fixes and instants in, transitions out.
///
/// As for beacons, what the region *was* and whether that is still *certain* are two things. What is no crossing needs no hold: a region that comes back from
/// unknown to what it was is so at once.
public struct CircleWatch: Sendable {
  public internal(set) var region: CircularRegion
  public private(set) var since: Instant
  public private(set) var state: RegionState
  /// The last state that was certain; `unknown` before there was one.
  private(set) var remembered = RegionState.unknown
  /// Where fixes say the device goes, and from when on that counts; `unknown` for nowhere.
  private var destination = RegionState.unknown
  private var arrival = Instant.never
  private var visits = Rare<Visits>(nil)

  /// What only a region has that was entered once.
  fileprivate struct Visits {
    var history: RegionHistory
    /// When whoever is inside has stayed for the region's dwell; `.never` when nobody waits for it, or it was told of.
    var dwellEnd = Instant.never
    /// When whoever was inside left.
    var left = Instant.never
  }

  init(region: CircularRegion, at time: Instant, remembering remembered: RegionState = .unknown) {
    self.region = region
    self.remembered = remembered
    since = time
    state = remembered == .unknown ? region.assumed : .unknown
  }
}

extension CircleWatch {
  /// What the region was when that was last certain; what it is assumed to be before.
  var baseline: RegionState { remembered == .unknown ? region.assumed : remembered }

  /// Certainly outside, and on no way in: only a fix inside changes it.
  var isAsleep: Bool { state == .outside && remembered == .outside && destination == .unknown }

  /// Fixes have put the device inside, and not yet for long enough.
  public var isGoingIn: Bool { destination == .inside }

  /// When time alone changes something; `.never` while only fixes do.
  var deadline: Instant {
    min(arrival, state == .inside ? visits.value?.dwellEnd ?? .never : .never)
  }

  /// Metres from the boundary: negative inside.
  public func boundaryDistance(to fix: Fix) -> Double { region.boundaryDistance(to: fix) }

  /// How often it was left or entered without need.
  public func flapping(at time: Instant) -> Flapping {
    var history = visits.value?.history ?? RegionHistory(at: time)
    history.pass(to: time)
    return Flapping(history, of: .circle(region))
  }

  /// Takes where a fix puts the device. Deadlines up to its time must have expired before.
  mutating func take(_ position: CircularRegion.Position, at time: Instant) -> RegionChange? {
    switch (position, baseline) {
    case (.inner, .outside), (.inner, .unknown): head(for: .inside, at: time)
    case (.outer, .inside): head(for: .outside, at: time)
    case (.outer, .unknown): return settle(.outside, at: time)
    case (.border, .unknown): stay()
    case (.inner, .inside), (.border, .inside), (.outer, .outside), (.border, .outside): return settle(baseline, at: time)
    }
    return nil
  }

  /// Somebody goes there, if nothing else is heard of him until the end of the hold.
  private mutating func head(for destination: RegionState, at time: Instant) {
    guard self.destination != destination else { return }
    self.destination = destination
    arrival = time + CircularRegion.hold
  }

  private mutating func stay() {
    (destination, arrival) = (.unknown, .never)
  }

  /// A fix agrees with what the region was, or is the first to say that it is outside.
  private mutating func settle(_ state: RegionState, at time: Instant) -> RegionChange? {
    stay()
    let isNew = remembered == .unknown
    remembered = state
    // What was only assumed begins now, as does a visit of which nothing was kept.
    if state == .inside, isNew || visits.isEmpty { enter(at: time) }
    guard self.state != state else { return nil }
    let unknown = time - since
    if state == .inside { visits.change { $0.resume(after: unknown) } }
    return change(to: state, kind: .state, at: time, cause: .fix)
  }

  /// Lets time reach the deadline.
  mutating func expire() -> RegionChange? {
    let time = deadline
    guard arrival == time else {
      visits.change { $0.dwellEnd = .never }
      return RegionChange(kind: .dwell, time: time, cause: .stay)
    }
    let next = destination
    let kind = region.kind(ofChangeFrom: baseline, to: next)
    stay()
    if next == .inside { enter(at: time) } else { visits.change { $0.end(at: time) } }
    remembered = next
    return change(to: next, kind: kind, at: time, cause: next == .inside ? .approach : .departure)
  }

  /// No fix tells anything about it any more. What is only assumed stays so.
  mutating func loseFixes(at time: Instant) -> RegionChange? {
    stay()
    guard state != .unknown, remembered != .unknown else { return nil }
    return change(to: .unknown, kind: .state, at: time, cause: .locationLost)
  }

  private mutating func enter(at time: Instant) {
    let dwell = region.dwell
    if visits.isEmpty { visits = Rare(Visits(history: RegionHistory(at: time))) }
    visits.change { $0.begin(at: time, dwell: dwell) }
  }

  private mutating func change(
    to next: RegionState, kind: Event.Kind, at time: Instant, cause: Event.Cause
  ) -> RegionChange {
    (state, since) = (next, time)
    return RegionChange(kind: kind, time: time, cause: cause)
  }
}

extension CircleWatch.Visits {
  fileprivate mutating func begin(at time: Instant, dwell: Span?) {
    history.pass(to: time)
    if left != .never { history.noteReturn(after: time - left, exitDelay: CircularRegion.hold, bySilence: false) }
    left = .never
    dwellEnd = dwell.map { time + $0 } ?? .never
  }

  fileprivate mutating func end(at time: Instant) {
    (left, dwellEnd) = (time, .never)
  }

  /// Goes on after a time of which nobody knows.
  fileprivate mutating func resume(after span: Span) {
    if dwellEnd != .never { dwellEnd += span }
  }
}

// MARK: Another definition, another process

extension CircleWatch {
  /// Goes on with another definition of what has the same name, without an event. Another circle is unknown until a fix says more, and remembers, so that enters
  /// and exits still alternate.
  func redefined(as region: CircularRegion, at time: Instant) -> CircleWatch {
    var next = self
    next.region = region
    if region.circle != self.region.circle {
      next.stay()
      if remembered != .unknown { (next.state, next.since) = (.unknown, time) }
    }
    if remembered == .unknown, next.state != region.assumed { (next.state, next.since) = (region.assumed, time) }
    if remembered == .inside { next.visits.change { $0.dwellEnd = dwellEnd(of: region, at: time) } }
    return next
  }

  /// When the visit that goes on will have lasted for another definition's dwell; never when that was told of, or nobody waits for it.
  private func dwellEnd(of region: CircularRegion, at time: Instant) -> Instant {
    guard let dwell = region.dwell else { return .never }
    guard let before = self.region.dwell else { return max(time, since + dwell) }
    return visits.value.map { $0.dwellEnd == .never ? .never : max(time, $0.dwellEnd + (dwell - before)) } ?? .never
  }

  func saved(at now: Instant, wallClock: (Instant) -> Instant) -> SavedRegion {
    let history = visits.value?.history ?? RegionHistory(at: now)
    let dwellEnd = visits.value?.dwellEnd ?? .never
    return SavedRegion(
      identifier: region.identifier, mark: .circle(region.circle), state: state, remembered: remembered, since: wallClock(since),
      history: history.ending(at: wallClock(history.dayEnd)),
      dwellLeft: dwellEnd == .never ? nil : dwellEnd - (state == .inside ? now : since))
  }

  /// As for beacons: provisionally, which is unknown and remembering.
  mutating func restore(_ saved: SavedRegion, isForgotten: Bool, at time: Instant, clock engineTime: (Instant) -> Instant) -> RegionChange?
  {
    since = time
    if saved.remembered != .unknown { (remembered, state) = (saved.remembered, .unknown) }
    if saved.mark.isAlike(region.circle), remembered == .inside || !saved.history.isEmpty {
      var history = saved.history.ending(at: min(RegionHistory(at: time).dayEnd, engineTime(saved.history.dayEnd)))
      history.pass(to: time)
      visits = Rare(Visits(history: history))
      if remembered == .inside, region.dwell != nil, let left = saved.dwellLeft { visits.change { $0.dwellEnd = time + left } }
    }
    guard isForgotten, remembered == .inside else { return nil }
    remembered = .outside
    return change(to: .outside, kind: region.kind(ofChangeFrom: .inside, to: .outside), at: time, cause: .outage)
  }
}

extension Region.Mark {
  /// Whether it is that circle, as far as what is written keeps it.
  fileprivate func isAlike(_ circle: Circle) -> Bool {
    if case .circle(let saved) = self { saved.isAlike(circle) } else { false }
  }
}

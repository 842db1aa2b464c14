import Instants

/// One true stay in a region, for which an enter is expected, and an exit unless the visit lasts until the end.
///
/// Between the inner and the outer limit of a region both states are right. Each crossing therefore has a time by which it has happened,
/// and one before which it must not be reported.
public struct Visit: Hashable, Sendable {
  /// The time at which the outer limit was crossed inwards: an enter is right from here on.
  /// Earlier stays in the border count if they are recent, see `VisitTracker`.
  public var approached: Instant
  /// The time at which the inner limit was crossed inwards; the enter latency starts here.
  public var entered: Instant
  /// The last time within the inner limit: an exit is right from here on.
  public var lastInside: Instant
  /// The time at which the outer limit was crossed outwards; the exit latency starts here.
  /// It is nil if the visit lasts until the end.
  public var left: Instant?

  public init(approached: Instant, entered: Instant, lastInside: Instant, left: Instant?) {
    self.approached = approached
    self.entered = entered
    self.lastInside = lastInside
    self.left = left
  }
}

/// Derives visits from the successive zones of a region.
///
/// A region that leaves the outer zone and returns to it without reaching the inner zone was in a pocket of the border, where both states
/// are right. An engine may also report inside until an exit delay of silence is over. A pocket no longer ago than that therefore belongs
/// to the next visit.
struct VisitTracker: Sendable {
  private(set) var visits: [Visit] = []
  /// The stays in the border that led to no visit.
  private(set) var borderStays: [ClosedRange<Instant>] = []
  private let exitDelay: Span
  private var zone = Zone.outer
  /// The time at which the region left the outer zone, or left it before a recent pocket.
  private var approached: Instant?
  /// The time of the return to the outer zone; nil in the other zones.
  private var returned: Instant?
  private var visit: Visit?

  init(exitDelay: Span) {
    self.exitDelay = exitDelay
  }

  /// Notes that the region is in the zone `next` from `time` on.
  mutating func note(_ next: Zone, at time: Instant) {
    if zone == .inner { visit?.lastInside = time }
    zone = next
    guard next != .outer else {
      returned = returned ?? time
      if visit != nil {
        visit?.left = time
        close()
        (approached, returned) = (nil, nil)
      }
      return
    }
    if let returned, time - returned > exitDelay { endPocket(at: returned) }
    returned = nil
    approached = approached ?? time
    if next == .inner && visit == nil {
      visit = Visit(approached: approached ?? time, entered: time, lastInside: time, left: nil)
    }
  }

  /// Ends a border stay that began at `approached` and led to no visit.
  private mutating func endPocket(at time: Instant) {
    if let approached { borderStays.append(approached...max(approached, time)) }
    approached = nil
  }

  mutating func finish(at time: Instant) {
    if zone == .inner { visit?.lastInside = time }
    if visit == nil { endPocket(at: returned ?? time) }
    close()
  }

  private mutating func close() {
    if let visit { visits.append(visit) }
    visit = nil
  }
}

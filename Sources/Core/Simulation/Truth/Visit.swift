import Instants

/// One true stay in a region: an enter that has to come, and an exit unless it lasts to the end.
///
/// Between the inner and the outer limit of a region nobody can tell which side is right, so each crossing has a time by which it has happened and one before which
/// it may not be claimed.
public struct Visit: Hashable, Sendable {
  /// The outer limit was crossed inwards: an enter is right from here on. Pockets of the border just before count, see `VisitTracker`.
  public var approached: Instant
  /// The inner limit was crossed inwards: detection counts from here on.
  public var entered: Instant
  /// Within the inner limit for the last time: an exit is right from here on.
  public var lastInside: Instant
  /// The outer limit was crossed outwards: leaving counts from here on. Nil: still inside at the end.
  public var left: Instant?

  public init(approached: Instant, entered: Instant, lastInside: Instant, left: Instant?) {
    self.approached = approached
    self.entered = entered
    self.lastInside = lastInside
    self.left = left
  }
}

/// Makes visits of the zones that a region goes through.
///
/// What comes out of the outer zone and returns to it without reaching the inner one was in a pocket of the border, where an engine may say either. It also may say
/// inside from there on until an exit delay of silence is over, so a pocket no longer ago than that belongs to what follows it.
struct VisitTracker: Sendable {
  private(set) var visits: [Visit] = []
  /// The stays in the border that led to no visit.
  private(set) var borderStays: [ClosedRange<Instant>] = []
  private let exitDelay: Span
  private var zone = Zone.outer
  /// When the region came out of the outer zone, or out of that before a pocket that still counts.
  private var approached: Instant?
  /// When it returned to the outer zone; nil while it is not there.
  private var returned: Instant?
  private var visit: Visit?

  init(exitDelay: Span) {
    self.exitDelay = exitDelay
  }

  /// The region is in `next` from `time` on.
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

  /// No visit came of what began at `approached`.
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

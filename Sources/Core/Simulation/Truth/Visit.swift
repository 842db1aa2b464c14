import Instants

/// One true stay in a region: an enter that has to come, and an exit unless it lasts to the end.
///
/// Between the inner and the outer limit of a region nobody can tell which side is right, so each crossing has a time by which it has happened and one before which
/// it may not be claimed.
public struct Visit: Hashable, Sendable {
  /// The outer limit was crossed inwards: an enter is right from here on.
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
struct VisitTracker: Sendable {
  private(set) var visits: [Visit] = []
  private var zone = Zone.outer
  /// Since when the region has not been in the outer zone.
  private var approached: Instant?
  private var visit: Visit?

  /// The region is in `next` from `time` on.
  mutating func note(_ next: Zone, at time: Instant) {
    if zone == .inner { visit?.lastInside = time }
    zone = next
    guard next != .outer else {
      visit?.left = time
      close()
      approached = nil
      return
    }
    approached = approached ?? time
    if next == .inner && visit == nil {
      visit = Visit(approached: approached ?? time, entered: time, lastInside: time, left: nil)
    }
  }

  mutating func finish(at time: Instant) {
    if zone == .inner { visit?.lastInside = time }
    close()
  }

  private mutating func close() {
    if let visit { visits.append(visit) }
    visit = nil
  }
}

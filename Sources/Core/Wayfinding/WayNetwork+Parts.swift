import Venues

// The points and links of a network.

extension WayNetwork {
  /// A point where ways meet.
  struct Point: Hashable, Sendable {
    var position: PlanPoint
    /// The index of its level.
    var level: Int
    var isDoor = false
    /// The index in the venue's `nodes`; nil for a derived point, and inside a lift.
    var node: Int?
    /// Whether the point is inside a lift.
    var isCabin = false
  }

  /// A way in one direction.
  struct Link: Hashable, Sendable {
    var to: Int
    var mode: Route.Mode
    /// Metres.
    var length: Double
    /// The time of the link in seconds at any speed; nil to compute it.
    var fixedTime: Double?
    /// The number of hazards for visitors who need an accessible way.
    var hazards = 0
    var isAccessible: Bool
    var isClosed = false
    /// Whether the link leads against a way of one direction. It belongs to no route, and only explains refusals.
    var isForbidden = false
    /// The index in the venue's `lifts`.
    var lift: Int?
    /// Whether the venue states the way; otherwise it is derived.
    var isStated = true
    /// The number of the way, which its two links share; -1 in a lift.
    var way = -1

    /// Whether the link is floor, not steps, a ramp or a gate.
    var isFloor: Bool { mode == .walk }
  }

  /// The part of a link that a search reads, in a cache line.
  struct Arc: Sendable {
    /// The metres that the speed of the visitor divides, and the seconds in addition.
    var metres: Double
    var seconds: Double
    var to: Int32
    var hazards: Int8
    var isAccessible: Bool
    var isClosed: Bool
    var isForbidden: Bool

    init(_ link: Link) {
      (metres, seconds) = link.fixedTime.map { (0, $0) } ?? RouteProfile.parts(link.mode, length: link.length)
      (to, hazards) = (Int32(link.to), Int8(link.hazards))
      (isAccessible, isClosed, isForbidden) = (link.isAccessible, link.isClosed, link.isForbidden)
    }
  }
}

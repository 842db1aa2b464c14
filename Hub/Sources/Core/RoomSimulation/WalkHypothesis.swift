import RealModule
import Seeds

/// A place where a tag may be, and the rest of its walk. It walks as `TagWalk` does.
struct WalkHypothesis: Sendable {
  enum Phase {
    case stay
    case walk
    case climbBelow
    case climbAbove
  }

  private(set) var place = SIMD2<Float>()
  private(set) var floor = 0
  private(set) var room = 0
  /// The unit vector of the direction that the bearer faces.
  private(set) var facing = SIMD2<Float>(1, 0)
  private(set) var phase = Phase.stay
  private var goal = 0
  private var target = SIMD2<Float>()
  private var next: SiteMap.Step?
  /// The earliest end of the present phase and of the direction.
  private var end: Float = 0
  private var turn: Float = 0

  var isWalking: Bool { phase == .walk }

  private static let speed = Float(TagWalk.speed)

  /// Stays at a random place of a random room.
  init(in map: SiteMap, _ random: inout SeededGenerator) {
    room = Int.random(in: map.rooms.indices, using: &random)
    floor = map.rooms[room].floor
    place = Self.point(in: map.rooms[room], &random)
  }

  /// Advances by a second to `time`.
  ///
  /// Departures are tried `boost` times as often as they happen, so that some hypotheses begin to walk in each second. Returns the factor
  /// by which that changes the weight.
  mutating func advance(to time: Float, meanStay: Float, boost: Float, map: SiteMap, _ random: inout SeededGenerator) -> Float {
    var factor: Float = 1
    switch phase {
    case .stay where time >= end:
      let rate = 1 / meanStay
      if Float.random(in: 0..<1, using: &random) < rate * boost {
        factor = 1 / boost
        goal = Float.random(in: 0..<1, using: &random) < 0.33 ? room : Int.random(in: map.rooms.indices, using: &random)
        aim(map, &random)
      } else {
        factor = (1 - rate) / (1 - rate * boost)
      }
    case .climbBelow where time >= end:
      pass(map)
      (phase, end) = (.climbAbove, time + (next?.climb ?? 0) / 2)
    case .climbAbove where time >= end: aim(map, &random)
    default: break
    }
    if phase == .walk { walk(to: time, map, &random) }
    if phase != .walk && time >= turn {
      face(&random)
      turn = time + .random(in: 15...60, using: &random)
    }
    return factor
  }

  private mutating func walk(to time: Float, _ map: SiteMap, _ random: inout SeededGenerator) {
    var left = Self.speed
    while phase == .walk {
      let way = target - place
      let distance = (way * way).sum().squareRoot()
      guard distance <= left else {
        place += way * (left / distance)
        return
      }
      (place, left) = (target, left - distance)
      if let step = next {
        if step.climb > 0 {
          (phase, end, turn) = (.climbBelow, time + step.climb / 2, time)
        } else {
          pass(map)
          aim(map, &random)
        }
      } else {
        (phase, end, turn) = (.stay, time + 5, time)
      }
    }
  }

  private mutating func pass(_ map: SiteMap) {
    room = next?.room ?? room
    floor = map.rooms[room].floor
  }

  /// Begins to walk to the next door, or to a place in the present room.
  private mutating func aim(_ map: SiteMap, _ random: inout SeededGenerator) {
    next = map.step(from: room, to: goal)
    target = next?.door ?? Self.point(in: map.rooms[room], &random)
    let way = target - place
    facing = way / Swift.max(0.001, (way * way).sum().squareRoot())
    phase = .walk
  }

  private mutating func face(_ random: inout SeededGenerator) {
    let angle = Float.random(in: 0..<2 * .pi, using: &random)
    facing = SIMD2(.cos(angle), .sin(angle))
  }

  private static func point(in room: SimulatedSite.Room, _ random: inout SeededGenerator) -> SIMD2<Float> {
    let point = room.point(&random)
    return SIMD2(Float(point.x), Float(point.y))
  }

  /// Returns another place of the room, near this one or anywhere, and perhaps another direction; nil if it is outside.
  func neighbour(in map: SiteMap, _ random: inout SeededGenerator) -> WalkHypothesis? {
    var other = self
    if Float.random(in: 0..<1, using: &random) < 0.3 {
      other.place = Self.point(in: map.rooms[room], &random)
    } else {
      other.place += SIMD2(.random(in: -1...1, using: &random), .random(in: -1...1, using: &random))
      guard map.rooms[room].contains(Double(other.place.x), Double(other.place.y)) else { return nil }
    }
    if Bool.random(using: &random) { other.face(&random) }
    return other
  }
}

extension SimulatedSite.Room {
  fileprivate func contains(_ x: Double, _ y: Double) -> Bool {
    x >= self.x.lowerBound + 0.4 && x <= self.x.upperBound - 0.4 && y >= self.y.lowerBound + 0.4 && y <= self.y.upperBound - 0.4
  }
}

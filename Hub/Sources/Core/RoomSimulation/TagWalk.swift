import RealModule
import Seeds

/// The walk of a tag and its true rooms: random waypoints with stays, by the doors.
struct TagWalk {
  /// A straight way, or a stay if both ends are the same.
  struct Leg {
    var from: SitePoint
    var to: SitePoint
    var begin: Double
    var end: Double
    var room: Int

    var isStay: Bool { from == to }

    func place(at time: Double) -> SitePoint {
      let share = end > begin ? Swift.max(0, Swift.min(1, (time - begin) / (end - begin))) : 1
      return SitePoint(x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y), floor: from.floor)
    }
  }

  private(set) var legs: [Leg] = []

  /// The speed in m/s: Bohannon, "Comfortable and maximum walking speed of adults", 1997, has 1.3; visitors are slower.
  static let speed = 1.1

  /// Stays in one place.
  init(stillIn plan: SimulatedSite, seconds: Double, _ random: inout SeededGenerator) {
    let room = Int.random(in: plan.rooms.indices, using: &random)
    let place = plan.rooms[room].point(&random)
    legs = [Leg(from: place, to: place, begin: 0, end: seconds, room: room)]
  }

  /// Walks from stay to stay. A third of the stays follow one in the same room.
  init(walkingIn plan: SimulatedSite, meanStay: Double, seconds: Double, _ random: inout SeededGenerator) {
    let first = Int.random(in: plan.rooms.indices, using: &random)
    var path = TagPath(at: plan.rooms[first].point(&random), room: first, speed: Self.speed)
    while path.time < seconds {
      path.wait(5 - meanStay * Double.log(1 - .random(in: 0..<1, using: &random)))
      let goal = Double.random(in: 0..<1, using: &random) < 0.33 ? path.room : Int.random(in: plan.rooms.indices, using: &random)
      for opening in Self.way(from: path.room, to: goal, plan) { path.pass(opening, plan) }
      path.go(to: plan.rooms[path.room].point(&random))
    }
    legs = path.legs
  }

  init(_ legs: [Leg]) {
    self.legs = legs
  }

  /// Returns the openings of the way with the fewest rooms.
  static func way(from start: Int, to goal: Int, _ plan: SimulatedSite) -> [SimulatedSite.Opening] {
    var before: [Int: SimulatedSite.Opening] = [:]
    var queue = [start]
    var next = 0
    while next < queue.count, before[goal] == nil, start != goal {
      let room = queue[next]
      next += 1
      for opening in plan.openings {
        guard let other = opening.other(than: room), other != start, before[other] == nil else { continue }
        before[other] = opening
        queue.append(other)
      }
    }
    var way: [SimulatedSite.Opening] = []
    var room = goal
    while room != start, let opening = before[room] {
      way.append(opening)
      room = opening.other(than: room) ?? start
    }
    return way.reversed()
  }

  /// The rooms one after another, with the times in them.
  var stays: [RoomStay] {
    var stays: [RoomStay] = []
    for leg in legs {
      if let last = stays.last, last.room == leg.room {
        stays[stays.count - 1].end = leg.end
      } else {
        stays.append(RoomStay(room: leg.room, begin: leg.begin, end: leg.end))
      }
    }
    return stays
  }
}

/// The time in which a tag is in one room.
struct RoomStay: Hashable {
  var room: Int
  var begin: Double
  var end: Double
}

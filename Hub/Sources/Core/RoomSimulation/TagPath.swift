/// The legs of a walk in the making.
struct TagPath {
  private(set) var legs: [TagWalk.Leg] = []
  private(set) var time = 0.0
  private(set) var room: Int
  private var place: SitePoint
  private let speed: Double

  /// Begins at a place. The speed is in m/s.
  init(at place: SitePoint, room: Int, speed: Double) {
    (self.place, self.room, self.speed) = (place, room, speed)
  }

  /// Adds a stay of some seconds.
  mutating func wait(_ seconds: Double) {
    legs.append(TagWalk.Leg(from: place, to: place, begin: time, end: time + seconds, room: room))
    time += seconds
  }

  /// Adds a straight way within the room.
  mutating func go(to goal: SitePoint) {
    let (x, y) = (goal.x - place.x, goal.y - place.y)
    let seconds = (x * x + y * y).squareRoot() / speed
    legs.append(TagWalk.Leg(from: place, to: goal, begin: time, end: time + seconds, room: room))
    time += seconds
    place = goal
  }

  /// Adds the way to an opening of the room, and through it. Half of the time on stairs belongs to each room.
  mutating func pass(_ opening: SimulatedSite.Opening, _ plan: SimulatedSite) {
    var door = opening.place
    door.floor = place.floor
    go(to: door)
    if opening.climb > 0 { wait(opening.climb / 2) }
    room = opening.other(than: room) ?? room
    place.floor = plan.rooms[room].floor
    if opening.climb > 0 { wait(opening.climb / 2) }
  }

  /// Adds a stay where no device hears the tag.
  mutating func leave(until end: Double) {
    place = SitePoint(x: -10_000, y: -10_000, floor: place.floor)
    wait(Swift.max(0, end - time))
  }
}

/// The walk of an installer who surveys a simulated site.
///
/// The installer enters each room by its door, walks through it in lanes, then in lanes across, and goes on to the next one. Of the site
/// only the doors are known to the installer. The tag has the same radio links as all others.
struct SurveyWalk {
  let walk: TagWalk
  /// The times in each room, as the installer states them.
  private(set) var stays: [RoomStay] = []

  /// The seconds for each room and the speed in m/s: slower than people walk.
  private static let secondsInRoom = 120.0
  private static let speed = 0.8
  /// The distance from walls in metres, and the smallest distance between lanes.
  private static let margin = 0.4
  private static let closest = 0.6
  private static let begin = 60.0

  init(_ plan: SimulatedSite, seconds: Double) {
    let first = plan.rooms[0]
    var path = TagPath(at: SitePoint(x: first.x.lowerBound + 1, y: first.y.lowerBound + 1, floor: first.floor), room: 0, speed: Self.speed)
    path.wait(Self.begin)
    var stays: [RoomStay] = []
    var visited: Set<Int> = []
    // Depth first, and back by the same doors.
    func visit(_ room: Int) {
      visited.insert(room)
      let begin = path.time
      for place in Self.lanes(in: plan.rooms[room]) { path.go(to: place) }
      stays.append(RoomStay(room: room, begin: begin, end: path.time))
      for opening in plan.openings {
        guard let next = opening.other(than: room), !visited.contains(next) else { continue }
        path.pass(opening, plan)
        visit(next)
        path.pass(opening, plan)
      }
    }
    visit(0)
    // Then the tag is switched off.
    path.leave(until: seconds)
    (walk, self.stays) = (TagWalk(path.legs), stays)
  }

  /// Returns the ends of the lanes along a room and then across it.
  private static func lanes(in room: SimulatedSite.Room) -> [SitePoint] {
    let (width, height) = (room.x.upperBound - room.x.lowerBound - 2 * margin, room.y.upperBound - room.y.lowerBound - 2 * margin)
    let pitch = Swift.max(closest, 2 * width * height / (speed * secondsInRoom - 2 * (width + height)))
    var places: [SitePoint] = []
    for isAcross in [false, true] {
      let (length, breadth) = isAcross ? (height, width) : (width, height)
      let lanes = Swift.max(2, Int((breadth / pitch).rounded()) + 1)
      for lane in 0..<lanes {
        let side = breadth * Double(lane) / Double(lanes - 1)
        for end in lane % 2 == 0 ? [0, length] : [length, 0] {
          let (x, y) = isAcross ? (side, end) : (end, side)
          places.append(SitePoint(x: room.x.lowerBound + margin + x, y: room.y.lowerBound + margin + y, floor: room.floor))
        }
      }
    }
    return places
  }

  /// The time at which the last digest of the survey has arrived, in seconds.
  var end: Double { (stays.last?.end ?? 0) + 15 }
}

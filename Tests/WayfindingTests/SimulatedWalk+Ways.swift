import Seeds
import Venues

@testable import Wayfinding

// The ways of a walker through the building.

extension SimulatedWalk {
  /// Turns as the first instruction says, and sets off.
  mutating func begin(_ announcement: Announcement, _ time: Double) {
    instructions = announcement.manoeuvres.dropFirst().filter(\.isInstruction)
    // A walker who looks around turns from there, and stands on in the new direction.
    var wanted = stop.seconds > 0 && habits.hasCompass ? stop.direction : heading
    defer { stop.direction = heading }
    if let first = announcement.manoeuvres.first, case .start(let turn?) = first.kind { wanted += turn.degrees }
    if let next = instructions.first, case .changeLevel = next.kind, done == 0 {
      decide(0)
    } else if from == to || done == 0 {
      choose(wanted, time, isWrong: false, isTold: true)
    } else if abs(turn(from: heading, to: wanted)) > 90 {
      // Back on the same way.
      let length = network.points[from].position.distance(to: network.points[to].position)
      (from, to) = (to, from)
      done = max(0, length - done)
      heading += 180
    }
    // A walker who misunderstands the beginning walks away from the route.
    if strayedAt == nil, done > 0.01, from != to, mode == .walk, !isOnRoute(from: point) { strayedAt = time }
  }

  /// Returns whether the way from a point to the node ahead belongs to the route, in the same direction.
  private func isOnRoute(from start: PlanPoint) -> Bool {
    let (end, level) = (network.points[to].position, network.points[to].level)
    let way = PlanSegment(from: start, to: end)
    func isOnWay(_ point: PlanPoint) -> Bool { way.distance(to: point) < 0.7 }
    let vertices = guide.route.vertices.map(\.place)
    // A route that begins ahead of the walker.
    if done > 0.01, vertices[0].level == level, isOnWay(vertices[0].point) { return true }
    return zip(vertices, vertices.dropFirst()).contains { a, b in
      guard a.level == level, b.level == level, a.point.distance(to: b.point) >= 0.3,
        abs(turn(from: a.point.direction(to: b.point), to: heading)) <= 30
      else { return false }
      return isOnWay(a.point) && start.distance(to: a.point) < start.distance(to: end) - 0.3
        || isOnWay(b.point) && start.distance(to: b.point) > 0.3
        || PlanSegment(from: a.point, to: b.point).distance(to: start) < 0.7 && start.distance(to: b.point) > 0.3
    }
  }

  /// Sets off from the node at `from` on the way that lies closest to a direction.
  ///
  /// - Parameters:
  ///   - isWrong: whether the walker takes another way on purpose.
  ///   - isTold: whether an instruction has said where to go.
  private mutating func choose(_ wanted: Double, _ time: Double, isWrong: Bool, isTold: Bool) {
    let here = network.points[from]
    let options = network.links[from].filter { link in
      !link.isForbidden && link.lift == nil && network.points[link.to].level == here.level
    }.map { (to: $0.to, direction: here.position.direction(to: network.points[$0.to].position)) }
    guard !options.isEmpty else { return }
    let sorted = options.sorted { abs(turn(from: wanted, to: $0.direction)) < abs(turn(from: wanted, to: $1.direction)) }
    let chosen = sorted[isWrong && sorted.count > 1 ? 1 : 0]
    (to, done, heading, mode) = (chosen.to, 0.001, chosen.direction, .walk)
    // A direction in words is coarse, and the compass has an error: a walker may misunderstand it as well.
    guard strayedAt == nil, !isOnRoute(from: here.position) else { return }
    strayedAt = time
    if !isTold, !isWrong { result.untold += 1 }
  }

  mutating func move(_ seconds: Double, _ time: Double) {
    guard stop.seconds <= 0 else {
      if strayedAt != nil { strayedAt? += seconds }
      return stop.seconds -= seconds
    }
    if habits.stops > 0, waiting <= 0, !waitsForTurn, Double.random(in: 0...1, using: &random) < habits.stops * seconds {
      stop = (Double.random(in: 5...25, using: &random), heading + Double.random(in: -180...180, using: &random))
    }
    if waiting > 0 {
      waiting -= seconds
      if waiting <= 0, mode == .lift {
        from = to
        done = 0
        heading += 180
        // Without an instruction, a visitor stops in front of the lift.
        waitsForTurn = instructions.isEmpty
        if !waitsForTurn { decide(time) }
      }
      return
    }
    if waitsForTurn { return }
    guard from != to else { return decide(time) }
    // Stairs take three times as long.
    let step = (mode == .stairs ? habits.speed / 3 : habits.speed) * seconds
    done += step
    toArrival -= step
    let length = network.points[from].position.distance(to: network.points[to].position)
    guard done >= length else { return }
    from = to
    done = 0
    decide(time)
  }

  /// Decides at a node: by the next instruction, or straight on.
  private mutating func decide(_ time: Double) {
    let here = network.points[from]
    let isTold = !instructions.isEmpty
    var wanted = heading
    if let next = instructions.first {
      switch next.kind {
      case .changeLevel(let mode, _, let level):
        let links = network.links[from]
        if mode == .lift, let board = links.first(where: { $0.lift != nil }) {
          instructions.removeFirst()
          waiting = 15 + 6 * Double(abs(level - here.level))
          self.mode = .lift
          to =
            network.points.firstIndex {
              !$0.isCabin && $0.level == level && $0.position == here.position
            } ?? board.to
          done = 0
          return
        }
        if let stairs = links.first(where: {
          !$0.isForbidden && $0.lift == nil && network.points[$0.to].level != here.level
            && (network.points[$0.to].level > here.level) == (level > here.level)
        }) {
          instructions.removeFirst()
          self.mode = .stairs
          heading = here.position.direction(to: network.points[stairs.to].position)
          (to, done) = (stairs.to, 0.001)
          // The next flight belongs to the same instruction.
          if network.points[stairs.to].level != level { instructions.insert(next, at: 0) }
          return
        }
      case .turn(let turn):
        // A turn that is not possible here comes later.
        let direction = heading + turn.degrees
        let isPossible = network.links[from].contains {
          !$0.isForbidden && $0.lift == nil && network.points[$0.to].level == here.level
            && abs(Wayfinding.turn(from: direction, to: here.position.direction(to: network.points[$0.to].position))) < 30
        }
        if isPossible {
          instructions.removeFirst()
          wanted = direction
        }
      case .straight, .door: instructions.removeFirst()
      case .arrive:
        // The announcement said how far it is.
        if toArrival < 3 { return }
      default: break
      }
    }
    let isWrong = habits.wrongTurns > 0 && strayedAt == nil && Double.random(in: 0...1, using: &random) < habits.wrongTurns
    choose(wanted, time, isWrong: isWrong, isTold: isTold)
  }
}

extension Manoeuvre.Turn {
  /// The degrees that a listener turns.
  fileprivate var degrees: Double {
    let angle: Double =
      switch sharpness {
      case .slight: 45
      case .usual: 90
      case .sharp: 135
      case .around: 180
      }
    return side == .left ? -angle : angle
  }
}

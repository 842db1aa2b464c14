import Seeds
import Venues
import Wayfinding

// The ways of a walker through the ways.

extension SimulatedWalk {
  /// Returns a point 2 to 8 m from a node, on a way of its level; the node itself if it has none.
  static func point(behind node: RouteNode, in venue: Venue, _ random: inout SeededGenerator) -> PlanPoint {
    let ends = venue.edges.filter { $0.kind == .walk && [$0.from, $0.to].contains(node.id) }.map { $0.from == node.id ? $0.to : $0.from }
    guard let end = ends.randomElement(using: &random).flatMap({ id in venue.nodes.first { $0.id == id } }) else { return node.position }
    return node.position.towards(end.position, Double.random(in: 2...8, using: &random) / node.position.distance(to: end.position))
  }

  /// Turns as the first instruction says, and sets off.
  mutating func begin(_ announcement: Announcement, _ time: Double) {
    instructions = announcement.manoeuvres.dropFirst().filter(\.isInstruction)
    climbsTo = nil
    // A walker who looks around turns from there, and stands on in the new direction.
    var wanted = stop.seconds > 0 && habits.hasCompass ? stop.direction : heading
    defer { stop.direction = heading }
    if let first = announcement.manoeuvres.first, case .start(let turn?) = first.kind { wanted += turn.degrees }
    if let next = instructions.first, case .changeLevel = next.kind, done == 0 {
      decide(0)
    } else if from == to || done == 0 {
      choose(wanted, time, isWrong: false, isTold: true)
    } else if abs(angle(from: heading, to: wanted)) > 90 {
      // Back on the same way.
      let length = ways.positions[from].distance(to: ways.positions[to])
      (from, to) = (to, from)
      done = max(0, length - done)
      heading += 180
    }
    // A walker who misunderstands the beginning walks away from the route.
    if strayedAt == nil, done > 0.01, from != to, mode == .walk, !isOnRoute(from: point) { strayedAt = time }
  }

  /// Returns whether the way from a point to the node ahead belongs to the route, in the same direction.
  private func isOnRoute(from start: PlanPoint) -> Bool {
    let (end, level) = (ways.positions[to], ways.levels[to])
    let way = PlanSegment(from: start, to: end)
    func isOnWay(_ point: PlanPoint) -> Bool { way.distance(to: point) < 0.7 }
    let vertices = guide.route.vertices.map(\.place)
    // A route that begins ahead of the walker.
    if done > 0.01, vertices[0].level == level, isOnWay(vertices[0].point) { return true }
    return zip(vertices, vertices.dropFirst()).contains { a, b in
      guard a.level == level, b.level == level, a.point.distance(to: b.point) >= 0.3,
        abs(angle(from: a.point.direction(to: b.point), to: heading)) <= 30
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
    let options = ways.waysOnLevel(from: from)
    guard !options.isEmpty else { return }
    let sorted = options.sorted { abs(angle(from: wanted, to: $0.direction)) < abs(angle(from: wanted, to: $1.direction)) }
    let chosen = sorted[isWrong && sorted.count > 1 ? 1 : 0]
    (to, done, heading, mode) = (chosen.to, 0.001, chosen.direction, .walk)
    // A direction in words is coarse, and the compass has an error: a walker may misunderstand it as well.
    guard strayedAt == nil, !isOnRoute(from: ways.positions[from]) else { return }
    strayedAt = time
    if !isTold, !isWrong { result.unannounced += 1 }
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
        if isAtWrongStop, strayedAt == nil { strayedAt = time }
        isAtWrongStop = false
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
    let length = ways.positions[from].distance(to: ways.positions[to])
    guard done >= length else { return }
    from = to
    done = 0
    decide(time)
  }

  /// Decides at a node: by the next instruction, or straight on.
  private mutating func decide(_ time: Double) {
    if climbOn(time) { return }
    let isTold = !instructions.isEmpty
    var wanted = heading
    if let next = instructions.first {
      switch next.kind {
      case .changeLevel(let mode, _, let level):
        if mode == .lift, ways.lifts.contains(from) {
          instructions.removeFirst()
          let stop = wrongStop(insteadOf: level) ?? level
          isAtWrongStop = stop != level
          waiting = 15 + 6 * Double(abs(stop - ways.levels[from]))
          self.mode = .lift
          to = ways.lift(from: from, to: stop)
          done = 0
          return
        }
        if let end = ways.stairs(from: from, towards: level) {
          instructions.removeFirst()
          self.mode = .stairs
          heading = ways.positions[from].direction(to: ways.positions[end])
          (to, done) = (end, 0.001)
          // The next flight belongs to the same instruction.
          if ways.levels[end] != level {
            instructions.insert(next, at: 0)
          } else if wantsWrongLevel() {
            climbsTo = level > ways.levels[from] ? level + 1 : level - 1
          }
          return
        }
      case .turn(let turn):
        // A turn that is not possible here comes later.
        let direction = heading + turn.degrees
        let isPossible = ways.waysOnLevel(from: from).contains { abs(angle(from: direction, to: $0.direction)) < 30 }
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

  // MARK: Wrong levels

  /// Returns whether the walker takes a wrong level on purpose.
  private mutating func wantsWrongLevel() -> Bool {
    habits.wrongLevels > 0 && strayedAt == nil && Double.random(in: 0...1, using: &random) < habits.wrongLevels
  }

  /// Returns the level of another stop of the lift, at which the walker leaves it; nil for none.
  private mutating func wrongStop(insteadOf level: Int) -> Int? {
    guard wantsWrongLevel() else { return nil }
    let others = Set(ways.lifts.map { ways.levels[$0] }).subtracting([level, ways.levels[from]]).sorted()
    return others.randomElement(using: &random)
  }

  /// Takes the next flight of the same stairs on purpose; returns whether there is one.
  private mutating func climbOn(_ time: Double) -> Bool {
    guard let level = climbsTo else { return false }
    climbsTo = nil
    guard let end = ways.stairs(from: from, towards: level) else { return false }
    (mode, heading, strayedAt) = (.stairs, ways.positions[from].direction(to: ways.positions[end]), time)
    (to, done) = (end, 0.001)
    return true
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

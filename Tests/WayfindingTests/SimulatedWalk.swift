import Instants
import RealModule
import RouteReports
import Seeds
import Venues

@testable import Wayfinding

/// A walker who knows nothing but the announcements, in a building of three levels with corridors on a grid.
///
/// The position has the errors of the indoor filter: 1.6 m at the mean, of which successive ones belong together, a second late. The
/// heading has a sigma of 10 degrees.
struct SimulatedWalk {
  struct Result {
    var hasArrived = false
    /// Metres from the destination when the guide said that the walker had arrived.
    var missedBy = 0.0
    /// The metres along the true route from each approach announcement to its manoeuvre; negative if it came too late.
    var leads: [Double] = []
    /// The number of announcements for a manoeuvre that was already announced.
    var repetitions = 0
    var reroutings = 0
    /// The seconds from each wrong turn to another route; nil if there was none.
    var delays: [Double?] = []
    var seconds = 0.0
    var expected = 0.0
    var announcements = 0
  }

  static let sigma = 1.3
  static let speed = 1.2
  private static let decay = Double.exp(-1.0 / 5)

  /// - Parameters:
  ///   - wrongTurns: the probability of a wrong turn at a node.
  ///   - building: makes the venue.
  static func run(
    seed: UInt64, wrongTurns: Double = 0, in building: (inout SeededGenerator) -> Venue = building
  ) -> Result? {
    var random = SeededGenerator(seed: seed)
    var venue = building(&random)
    let (first, last) = (
      venue.nodes[Int.random(in: venue.nodes.indices, using: &random)], venue.nodes[Int.random(in: venue.nodes.indices, using: &random)]
    )
    guard first.id != last.id, let level = venue.levels.firstIndex(where: { $0.id == first.level }) else { return nil }
    venue.places = [Place(id: "goal", level: last.level, position: last.position)]
    let network = WayNetwork(venue)
    guard let found = try? network.route(from: VenuePoint(first.position, level: level), toPlace: "goal"), found.length > 20 else {
      return nil
    }
    var walk = SimulatedWalk(network, found, random, at: first.id, wrongTurns: wrongTurns)
    return walk.run()
  }

  private let network: WayNetwork
  private var random: SeededGenerator
  private var guide: RouteGuide
  private let wrongTurns: Double
  private let expected: Double

  // The truth.
  /// The node behind the walker, the one ahead, and the metres between them that are done.
  private var from: Int
  private var to: Int
  private var done = 0.0
  private var waiting = 0.0
  private var mode = Route.Mode.walk
  private var heading = 0.0
  private var instructions: [Manoeuvre] = []
  private var hasStarted = false
  private var waitsForTurn = false
  /// The time at which the walker took a wrong turn; nil if on the route.
  private var strayedAt: Double?
  private var noise = (x: 0.0, y: 0.0)
  private var past: [(point: PlanPoint, level: Int)] = []
  private var announced: Set<String> = []

  private init(_ network: WayNetwork, _ route: Route, _ random: SeededGenerator, at node: String, wrongTurns: Double) {
    self.network = network
    self.random = random
    self.wrongTurns = wrongTurns
    guide = RouteGuide(route, in: network, profile: RouteProfile(speed: Self.speed))
    expected = route.legs.reduce(0) { sum, leg in
      switch leg.mode {
      case .walk: sum + leg.length / Self.speed
      case .stairs: sum + 3 * leg.length / Self.speed
      default: sum + leg.time.seconds
      }
    }
    from = network.points.firstIndex { $0.node.map { network.venue.nodes[$0].id } == node } ?? 0
    to = from
    heading = Double.random(in: -180...180, using: &self.random)
  }

  private mutating func normal() -> Double { (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0...1, using: &random) } }

  private var point: PlanPoint {
    let (a, b) = (network.points[from].position, network.points[to].position)
    let length = a.distance(to: b)
    return length > 0 ? a.towards(b, min(1, done / length)) : b
  }

  private var level: Int { done > 0 ? network.points[to].level : network.points[from].level }

  private mutating func run() -> Result {
    var result = Result(expected: expected)
    let step = 0.2
    noise = (Self.sigma * normal(), Self.sigma * normal())
    for tick in 0..<Int(1500 / step) {
      let time = Double(tick) * step
      if tick % 5 == 0 {
        past.append((point, level))
        if let output = listen(time, &result), output.state == .arrived {
          result.hasArrived = true
          result.seconds = time
          let end = guide.route.end
          result.missedBy = end.level == level ? end.point.distance(to: point) : .infinity
          break
        }
      }
      if hasStarted { move(step, time, &result) }
    }
    result.reroutings = guide.reroutings
    if strayedAt != nil, !result.hasArrived { result.delays.append(nil) }
    return result
  }

  /// Takes a position as the indoor filter would report it, and obeys what the guide says.
  private mutating func listen(_ time: Double, _ result: inout Result) -> GuidanceOutput? {
    let late = past[max(0, past.count - 2)]
    let spread = Self.sigma * (1 - Self.decay * Self.decay).squareRoot()
    noise = (Self.decay * noise.x + spread * normal(), Self.decay * noise.y + spread * normal())
    let reported = VenuePoint(PlanPoint(x: late.point.x + noise.x, y: late.point.y + noise.y), level: late.level)
    let output = guide.update(
      GuidedPosition(reported, accuracy: Self.sigma, heading: heading + 10 * normal(), time: Instant(microseconds: Int64(time * 1e6))))
    for announcement in output.announcements {
      result.announcements += 1
      switch announcement.kind {
      case .start, .rerouted:
        if announcement.kind == .rerouted {
          waitsForTurn = false
          if let strayedAt { result.delays.append(time - strayedAt) }
          strayedAt = nil
        }
        announced = []
        begin(announcement, time)
        hasStarted = true
      case .approach, .now:
        for (number, manoeuvre) in announcement.manoeuvres.enumerated() where manoeuvre.isDecision {
          if number == 0, announcement.kind == .approach { result.leads.append(lead(manoeuvre)) }
          if !announced.insert("\(manoeuvre.changes) \(Int(manoeuvre.offset * 10))").inserted { result.repetitions += 1 }
        }
        waitsForTurn = false
        instructions += announcement.manoeuvres.filter(\.isInstruction)
      case .passing, .progress, .arrived: break
      }
    }
    return output
  }

  /// Returns the metres to a manoeuvre along the true way; negative if it lies behind.
  private func lead(_ manoeuvre: Manoeuvre) -> Double {
    let metres = point.distance(to: manoeuvre.place.point)
    let isBehind = abs(turn(from: heading, to: point.direction(to: manoeuvre.place.point))) > 90
    return metres < 0.3 || !isBehind ? metres : -metres
  }

  /// Turns as the first instruction says, and sets off.
  private mutating func begin(_ announcement: Announcement, _ time: Double) {
    instructions = announcement.manoeuvres.dropFirst().filter(\.isInstruction)
    var wanted = heading
    if let first = announcement.manoeuvres.first, case .start(let turn?) = first.kind { wanted += turn.degrees }
    if let next = instructions.first, case .changeLevel = next.kind, done == 0 {
      decide(0)
    } else if from == to || done == 0 {
      choose(wanted, time, isWrong: false)
    } else if abs(turn(from: heading, to: wanted)) > 90 {
      // Back on the same way.
      let length = network.points[from].position.distance(to: network.points[to].position)
      (from, to) = (to, from)
      done = max(0, length - done)
      heading += 180
    }
  }

  /// Sets off from the node at `from` on the way that lies closest to a direction.
  private mutating func choose(_ wanted: Double, _ time: Double, isWrong: Bool) {
    let here = network.points[from]
    let options = network.links[from].filter { link in
      !link.isForbidden && link.lift == nil && network.points[link.to].level == here.level
    }.map { (to: $0.to, direction: here.position.direction(to: network.points[$0.to].position)) }
    guard !options.isEmpty else { return }
    let sorted = options.sorted { abs(turn(from: wanted, to: $0.direction)) < abs(turn(from: wanted, to: $1.direction)) }
    let chosen = sorted[isWrong && sorted.count > 1 ? 1 : 0]
    (to, done, heading, mode) = (chosen.to, 0.001, chosen.direction, .walk)
    // A direction in words is coarse, and the compass has an error: a walker may misunderstand it as well.
    let vertices = guide.route.vertices
    let right = zip(vertices, vertices.dropFirst()).filter { current, next in
      current.place.level == here.level && next.place.level == here.level && current.place.point.distance(to: here.position) < 0.5
    }.map { here.position.direction(to: $0.1.place.point) }
    if !right.isEmpty, strayedAt == nil, right.allSatisfy({ abs(turn(from: $0, to: heading)) > 30 }) { strayedAt = time }
  }

  private mutating func move(_ seconds: Double, _ time: Double, _ result: inout Result) {
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
    done += (mode == .stairs ? Self.speed / 3 : Self.speed) * seconds
    let length = network.points[from].position.distance(to: network.points[to].position)
    guard done >= length else { return }
    from = to
    done = 0
    decide(time)
  }

  /// Decides at a node: by the next instruction, or straight on.
  private mutating func decide(_ time: Double) {
    let here = network.points[from]
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
      case .arrive: return
      default: break
      }
    }
    let isWrong = wrongTurns > 0 && strayedAt == nil && Double.random(in: 0...1, using: &random) < wrongTurns
    choose(wanted, time, isWrong: isWrong)
  }
}

extension Manoeuvre {
  /// Whether a walker remembers it for the next node.
  fileprivate var isInstruction: Bool {
    if case .arrive = kind { return true }
    return isDecision
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

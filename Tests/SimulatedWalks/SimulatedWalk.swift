import Geodesy
import Instants
import RealModule
import RouteReports
import Seeds
import Venues
import Wayfinding

/// A walker who knows nothing but the announcements, in a building of three levels with corridors on a grid.
///
/// The position has the errors of the indoor filter: 1.6 m at the mean, of which successive ones belong together, a second late. The
/// heading has a sigma of 10 degrees.
public struct SimulatedWalk {
  public struct Result {
    public var hasArrived = false
    /// Metres from the destination when the guide said that the walker had arrived.
    public var missedBy = 0.0
    /// The instructions for decisions on the level of the walker.
    public var leads: [Lead] = []
    /// The wrong turns that the walker took because no instruction had come.
    public var unannounced = 0
    /// The decisions that the guide left out, because they were behind the walker already.
    public var missed = 0
    /// The metres to a decision before which the arrival was announced without it, to walkers on the route.
    public var earlyArrivals: [Double] = []
    /// The number of announcements for a manoeuvre that was already announced.
    public var repetitions = 0
    public var reroutings = 0
    /// The routes that a walker got who was on the route.
    public var needless = 0
    /// The times at which a position of a trusted level came with another one on the screen or in an instruction.
    public var falseLevels = 0
    /// The seconds of walking from each wrong turn to another route; nil if there was none.
    public var delays: [Double?] = []
    public var seconds = 0.0
    /// The seconds that the way takes by the pace that was known before the walk.
    public var estimated = 0.0
    /// The measurements of the walker's pace in m/s.
    public var paces: [Double] = []
    /// The seconds that the rest of the way would have taken.
    public var rest = 0.0
  }

  /// An instruction for a decision.
  public struct Lead {
    /// The metres from the walker to the decision; negative if it is behind the walker.
    public var metres: Double
    /// Whether it is the first one of an approach, which others may follow closely.
    public var isApproach: Bool
    /// Whether the walker was on the route.
    public var isOnRoute: Bool
  }

  /// The behaviour of a walker, and the speed that others assume.
  public struct Habits: Sendable {
    /// The probability of a wrong turn at a node.
    public var wrongTurns = 0.0
    /// The probability of leaving a lift at a wrong stop, and of climbing on past the right storey.
    public var wrongLevels = 0.0
    /// Whether the direction of the device is known.
    public var hasCompass = true
    /// Whether the device counts steps.
    public var hasSteps = false
    /// The probability in a second of a stop, to look around for 5 to 25 s.
    public var stops = 0.0
    /// Whether the destination is 2 to 8 m behind a node, where the last turn may be, instead of at a node.
    public var goesBehindNodes = false
    /// Metres a second.
    public var speed = 1.2
    /// The speed in m/s by which times are estimated.
    public var knownSpeed = 1.2
    /// One sigma of a position in metres along each axis, and the one that the device reports.
    public var (sigma, accuracy) = (SimulatedWalk.sigma, SimulatedWalk.sigma)

    public init(
      wrongTurns: Double = 0, wrongLevels: Double = 0, hasCompass: Bool = true, hasSteps: Bool = false, stops: Double = 0,
      goesBehindNodes: Bool = false, speed: Double = 1.2, knownSpeed: Double = 1.2, sigma: Double = SimulatedWalk.sigma,
      accuracy: Double? = nil
    ) {
      (self.wrongLevels, self.goesBehindNodes) = (wrongLevels, goesBehindNodes)
      (self.sigma, self.accuracy) = (sigma, accuracy ?? sigma)
      (self.wrongTurns, self.hasCompass, self.hasSteps) = (wrongTurns, hasCompass, hasSteps)
      (self.stops, self.speed, self.knownSpeed) = (stops, speed, knownSpeed)
    }
  }

  /// One sigma of a position in metres, along each axis.
  public static let sigma = 1.3
  private static let decay = Double.exp(-1.0 / 5)

  /// Walks between two nodes that are more than 20 m apart.
  public static func run(
    seed: UInt64, _ habits: Habits = Habits(), in building: (inout SeededGenerator) -> Venue = building
  ) throws -> Result {
    var random = SeededGenerator(seed: seed)
    var venue = building(&random)
    venue.frame = Coordinate(latitude: 48.1, longitude: 11.5).map { VenueFrame(origin: $0) }
    while true {
      let (first, last) = (
        venue.nodes[Int.random(in: venue.nodes.indices, using: &random)], venue.nodes[Int.random(in: venue.nodes.indices, using: &random)]
      )
      guard first.id != last.id, let level = venue.levels.firstIndex(where: { $0.id == first.level }) else { continue }
      let goal = habits.goesBehindNodes ? point(behind: last, in: venue, &random) : last.position
      venue.places = [Place(id: "goal", level: last.level, position: goal)]
      let network = WayNetwork(venue)
      let profile = RouteProfile(speed: habits.knownSpeed)
      // An irregular building has islands.
      guard let found = try? network.route(from: VenuePoint(first.position, level: level), toPlace: "goal", profile: profile),
        found.length > 20, let coordinate = venue.frame?.coordinate(for: first.position)
      else { continue }
      let travel = try network.travel(
        from: coordinate, floor: venue.levels[level].ordinal, accuracy: sigma, toPlace: "goal", profile: profile)
      var walk = SimulatedWalk(network, found, random, at: first.id, habits)
      walk.result.estimated = travel.time.seconds
      walk.run()
      return walk.result
    }
  }

  let ways: BuildingWays
  var random: SeededGenerator
  var guide: RouteGuide
  let habits: Habits
  var result = Result()

  // The truth.
  /// The node behind the walker, the one ahead, and the metres between them that are done.
  var from: Int
  var to: Int
  var done = 0.0
  var waiting = 0.0
  var mode = Route.Mode.walk
  var heading = 0.0
  var instructions: [Manoeuvre] = []
  private var hasStarted = false
  var waitsForTurn = false
  /// The seconds for which the walker still stands, and the direction in which they look meanwhile.
  var stop = (seconds: 0.0, direction: 0.0)
  /// The metres to the destination as the last announcement of it said.
  var toArrival = 0.0
  /// The time at which the walker took a wrong turn, later by that of stops; nil if on the route.
  var strayedAt: Double?
  private var noise = (x: 0.0, y: 0.0)
  /// The times at which the walker last stood, and of the last step.
  private var (firstStep, lastStep) = (0.0, -10.0)
  private static let stepPause = 0.5
  private var past: [(point: PlanPoint, level: Int)] = []
  /// The level of the last position, and the number of positions in a row on it.
  private var known = (level: 0, count: 0)
  /// The level beyond the right one to which the walker climbs on; nil for none.
  var climbsTo: Int?
  /// Whether the lift takes the walker to a wrong stop.
  var isAtWrongStop = false
  private var announced: Set<String> = []

  private init(_ network: WayNetwork, _ route: Route, _ random: SeededGenerator, at node: String, _ habits: Habits) {
    ways = BuildingWays(network.venue)
    self.random = random
    self.habits = habits
    guide = RouteGuide(route, in: network, profile: RouteProfile(speed: habits.knownSpeed))
    from = ways.point(node)
    to = from
    heading = Double.random(in: -180...180, using: &self.random)
  }

  private mutating func normal() -> Double { (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0...1, using: &random) } }

  var point: PlanPoint {
    let (a, b) = (ways.positions[from], ways.positions[to])
    let length = a.distance(to: b)
    return length > 0 ? a.towards(b, min(1, done / length)) : b
  }

  private var level: Int { ways.levels[done > 0 ? to : from] }

  private mutating func run() {
    let step = 0.2
    noise = (habits.sigma * normal(), habits.sigma * normal())
    for tick in 0..<Int(1500 / step) {
      let time = Double(tick) * step
      if tick % 5 == 0 {
        past.append((point, level))
        if listen(time).state == .arrived {
          result.hasArrived = true
          result.seconds = time
          let end = guide.route.end
          result.missedBy = end.level == level ? end.point.distance(to: point) : .infinity
          result.rest = result.missedBy / (mode == .stairs ? habits.speed / 3 : habits.speed)
          break
        }
      }
      let before = point
      if hasStarted { move(step, time) }
      if point != before, mode != .lift { lastStep = time } else if time - lastStep > Self.stepPause { firstStep = time }
    }
    (result.reroutings, result.missed) = (guide.reroutings, guide.missed)
    if strayedAt != nil, !result.hasArrived { result.delays.append(nil) }
  }

  /// Returns whether the device has counted steps: from the fifth one on, and for a second after the last.
  private func isStepping(_ time: Double) -> Bool { time - firstStep > 2.8 && time - lastStep <= 1.1 }

  /// Takes a position as the indoor filter would report it, and obeys what the guide says.
  private mutating func listen(_ time: Double) -> GuidanceOutput {
    let late = past[max(0, past.count - 2)]
    let spread = habits.sigma * (1 - Self.decay * Self.decay).squareRoot()
    noise = (Self.decay * noise.x + spread * normal(), Self.decay * noise.y + spread * normal())
    let reported = VenuePoint(PlanPoint(x: late.point.x + noise.x, y: late.point.y + noise.y), level: late.level)
    let compass = (stop.seconds > 0 ? stop.direction : heading) + 10 * normal()
    let output = guide.update(
      GuidedPosition(
        reported, accuracy: habits.accuracy, heading: habits.hasCompass ? compass : nil,
        isWalking: habits.hasSteps ? isStepping(time) : nil, time: Instant(microseconds: Int64(time * 1e6))))
    if let pace = output.pace { result.paces.append(pace) }
    countFalseLevels(output, on: reported.level)
    for announcement in output.announcements {
      switch announcement.kind {
      case .start, .rerouted:
        if announcement.kind == .rerouted {
          waitsForTurn = false
          if let strayedAt { result.delays.append(time - strayedAt) } else { result.needless += 1 }
          strayedAt = nil
        }
        announced = []
        begin(announcement, time)
        noteArrival(announcement)
        hasStarted = true
      case .approach, .now:
        measure(announcement)
        for manoeuvre in announcement.manoeuvres where manoeuvre.isDecision {
          if !announced.insert("\(manoeuvre.changes) \(Int(manoeuvre.offset * 10))").inserted { result.repetitions += 1 }
        }
        waitsForTurn = false
        noteArrival(announcement)
        instructions += announcement.manoeuvres.filter(\.isInstruction)
      case .passing, .progress, .arrived: break
      }
    }
    return output
  }

  /// Counts an output that is about another level than the last three positions.
  private mutating func countFalseLevels(_ output: GuidanceOutput, on level: Int) {
    known = (level, known.level == level ? known.count + 1 : 1)
    guard known.count >= 3 else { return }
    let isFalse = output.announcements.contains { $0.manoeuvres.first.map { $0.place.level != level } ?? false }
    if output.matched.level != level || isFalse { result.falseLevels += 1 }
  }

  /// Notes how far the decisions of an announcement are, except those behind a level change.
  private mutating func measure(_ announcement: Announcement) {
    for (number, manoeuvre) in announcement.manoeuvres.enumerated() {
      if manoeuvre.isDecision, manoeuvre.changes == announcement.manoeuvres[0].changes {
        result.leads.append(
          Lead(metres: lead(manoeuvre), isApproach: number == 0 && announcement.kind == .approach, isOnRoute: strayedAt == nil))
      }
      if case .changeLevel = manoeuvre.kind { return }
    }
  }

  /// Takes the metres to an announced arrival, and notes one before a decision that is still ahead of the walker.
  private mutating func noteArrival(_ announcement: Announcement) {
    guard let last = announcement.manoeuvres.last, case .arrive = last.kind else { return }
    toArrival = announcement.distance + last.offset - announcement.manoeuvres[0].offset
    guard announcement.manoeuvres.count == 1, strayedAt == nil, let decision = instructions.last(where: \.isDecision) else { return }
    result.earlyArrivals.append(lead(decision))
  }

  /// Returns the metres to a manoeuvre along the true way; negative if it lies behind.
  private func lead(_ manoeuvre: Manoeuvre) -> Double {
    let metres = point.distance(to: manoeuvre.place.point)
    let isBehind = abs(angle(from: heading, to: point.direction(to: manoeuvre.place.point))) > 90
    return metres < 0.3 || !isBehind ? metres : -metres
  }
}

extension Manoeuvre {
  /// Whether a walker remembers it for the next node.
  var isInstruction: Bool {
    if case .arrive = kind { return true }
    return isDecision
  }
}

import BeaconAdvertising
import Beacons
import IndoorPositioning
import Instants
import Proximity
import Records
import Regions
import Scoring
import Testing
import Venues

@testable import Simulation

/// Scenarios with several levels: radio, ways, wandering visitors, and the score of positions.
@Suite struct BuildingTests {
  /// Two levels of 24 × 12 m with a void on the upper one, stairs in the west and a lift in the east.
  private static func building(beacons: [PlannedBeacon] = [], places: [Place] = []) throws -> Venue {
    let outline = try #require(PlanPolygon(from: PlanPoint(x: 0, y: 0), to: PlanPoint(x: 24, y: 12)))
    let void = try #require(PlanPolygon(from: PlanPoint(x: 8, y: 4), to: PlanPoint(x: 16, y: 8)))
    return Venue(
      id: "house",
      levels: [VenueLevel(id: "ground", walkable: [outline]), VenueLevel(id: "first", ordinal: 1, walkable: [outline], voids: [void])],
      beacons: beacons, places: places,
      nodes: [
        RouteNode(id: "s0", level: "ground", position: PlanPoint(x: 1, y: 2)),
        RouteNode(id: "s1", level: "first", position: PlanPoint(x: 1, y: 2)),
        RouteNode(id: "l0", level: "ground", position: PlanPoint(x: 23, y: 2)),
        RouteNode(id: "l1", level: "first", position: PlanPoint(x: 23, y: 2)),
      ],
      edges: [RouteEdge(from: "s0", to: "s1", kind: .stairs, time: .seconds(14))],
      lifts: [RouteLift(id: "lift", stops: ["l0", "l1"], boardTime: .seconds(5), levelTime: .seconds(3))])
  }

  private static func stop(_ x: Double, _ y: Double, _ level: String) -> WayFinder.Stop {
    WayFinder.Stop(point: PlanPoint(x: x, y: y), level: level)
  }

  @Test func `a floor attenuates, and its height counts for the distance`() {
    var scenario = Scenario.still(metres: 3, duration: .seconds(1))
    scenario.radio.floorAttenuation = 17
    func level(_ ordinal: Int) -> Double {
      scenario.beacons[0].position = .fixed(PlanPoint(x: 3, y: 0), level: ordinal)
      let venue = SimulatedVenue(scenario, seed: 1)
      return venue.places(beacon: 0, receiver: 0, at: .at(0)).map { venue.level(beacon: 0, receiver: 0, $0) } ?? .nan
    }
    // 3 m and 5 m apart, with an exponent of 2.7.
    #expect(abs(level(0) - level(1) - 17 - 27 * (5.0 / 3).decibels / 10) < 1e-9)
    #expect(abs(level(-1) - level(1)) < 1e-9)
  }

  @Test func `a visitor takes the stairs or the lift, whichever is faster`() throws {
    let finder = WayFinder(try Self.building(), walls: [])
    let byStairs = try #require(finder.way(from: Self.stop(3, 2, "ground"), to: Self.stop(3, 10, "first"), speed: 1))
    #expect(byStairs.map(\.to) == [Self.stop(1, 2, "ground"), Self.stop(1, 2, "first"), Self.stop(3, 10, "first")])
    #expect(byStairs[1].time == .seconds(14))
    let byLift = try #require(finder.way(from: Self.stop(20, 2, "ground"), to: Self.stop(20, 10, "first"), speed: 1))
    #expect(byLift.map(\.wait) == [.zero, .seconds(5), .zero] && byLift[1].time == .seconds(3))
    #expect(finder.way(from: Self.stop(3, 6, "first"), to: Self.stop(20, 6, "first"), speed: 1) == nil)
    // The void is in the way, and no node leads around it.
    #expect(finder.way(from: Self.stop(3, 2, "ground"), to: Self.stop(20, 2, "ground"), speed: 1)?.count == 1)
  }

  @Test func `a wall makes a straight way impossible`() throws {
    let wall = VenueWall(level: "ground", from: PlanPoint(x: 12, y: 0), to: PlanPoint(x: 12, y: 12), attenuation: 5)
    let finder = WayFinder(try Self.building(), walls: [wall])
    #expect(!finder.isClear(from: PlanPoint(x: 3, y: 2), to: PlanPoint(x: 20, y: 2), level: "ground"))
    #expect(finder.isClear(from: PlanPoint(x: 3, y: 2), to: PlanPoint(x: 20, y: 2), level: "first"))
    // Up the stairs and down by the lift.
    #expect(finder.way(from: Self.stop(3, 2, "ground"), to: Self.stop(20, 2, "ground"), speed: 1) == nil)
  }

  private static func wandering(seconds: Double = 600) throws -> Scenario {
    var scenario = Scenario(name: "house", duration: .seconds(seconds), venue: try building())
    scenario.visitors = [VisitorPath([.init(at: .zero, place: PlanPoint(x: 3, y: 3))])]
    scenario.randomVisitors = [RandomVisitor(visitor: 0, levels: ["ground", "first"], speed: 1.2, pause: .seconds(5), stayShare: 0.5)]
    return scenario
  }

  @Test(arguments: 1...5) func `a wandering visitor stays in the walkable areas at walking speed, and visits all levels`(seed: UInt64)
    throws
  {
    let scenario = try Self.wandering().walked(seed: seed)
    let venue = try #require(scenario.venue)
    let path = scenario.visitors[0]
    var levels: Set<Int> = []
    var before = try #require(path.location(at: .zero))
    for second in 1...600 {
      let place = try #require(path.location(at: .seconds(Double(second))))
      #expect(before.point.distance(to: place.point) < 1.21)
      before = place
      guard let level = place.level else { continue }
      levels.insert(level)
      #expect(venue.levels[level].isWalkable(place.point) == true, "\(place)")
    }
    #expect(levels == [0, 1])
  }

  @Test func `the walk of a wandering visitor depends on the seed alone`() throws {
    let scenario = try Self.wandering()
    #expect(scenario.walked(seed: 1) == scenario.walked(seed: 1))
    #expect(scenario.walked(seed: 1) != scenario.walked(seed: 2))
    #expect(scenario.walked(seed: 1).walked(seed: 2) == scenario.walked(seed: 1))
  }

  @Test func `between two levels the storey is a fraction, and the level is unknown`() {
    let path = VisitorPath([
      .init(at: .zero, place: PlanPoint(x: 0, y: 0)), .init(at: .seconds(10), place: PlanPoint(x: 0, y: 0), level: 1),
      .init(at: .seconds(20), place: PlanPoint(x: 4, y: 0), level: 1),
    ])
    #expect(path.location(at: .seconds(5)) == BuildingPoint(point: PlanPoint(x: 0, y: 0), storey: 0.5))
    #expect(path.location(at: .seconds(5))?.level == nil && path.location(at: .seconds(15))?.level == 1)
    #expect(path.isMoving(at: .seconds(5)))
  }

  @Test func `a receiver loses packets on top of the beacon's loss, and hears nothing outside its scan window`() throws {
    func heard(_ receiver: Receiver) -> [HeardAdvertisement] {
      var scenario = Scenario.still(metres: 2, interval: .milliseconds(100), duration: .seconds(200))
      scenario.receivers = [receiver]
      var simulator = Simulator(scenario, seed: 3, hasCrowd: false)
      return simulator.all()
    }
    let place = VenuePosition.fixed(PlanPoint(x: 0, y: 0))
    let all = heard(Receiver(position: place)).count
    let lossy = heard(Receiver(position: place, loss: BurstLoss(loss: 0.3, burst: nil))).count
    #expect(abs(Double(lossy) / Double(all) - 0.7) < 0.05)
    let part = heard(Receiver(position: place, duty: ScanDuty(window: .milliseconds(250), interval: .seconds(1))))
    #expect(part.allSatisfy { ($0.time - Scenario.start).microseconds % 1_000_000 < 250_000 })
    #expect(abs(Double(part.count) / Double(all) - 0.25) < 0.05)
  }

  // MARK: The score

  /// A hall with beacons every 6 m, and a visitor who wanders through it with a calibrated receiver.
  private static func hall(spacing: Double, levels: Int = 1, seconds: Double) throws -> Scenario {
    let size = (width: 24.0, depth: 18.0)
    let outline = try #require(PlanPolygon(from: PlanPoint(x: 0, y: 0), to: PlanPoint(x: size.width, y: size.depth)))
    var beacons: [PlannedBeacon] = []
    for level in 0..<levels {
      for y in stride(from: spacing / 2, to: size.depth, by: spacing) {
        for x in stride(from: spacing / 2, to: size.width, by: spacing) {
          let identity = BeaconIdentity(uuid: Scenario.uuid, major: UInt16(level), minor: UInt16(beacons.count))
          beacons.append(PlannedBeacon(identity: identity, level: "l\(level)", position: PlanPoint(x: x, y: y), height: 2.5, power: -59))
        }
      }
    }
    let area = try #require(PlanPolygon(from: PlanPoint(x: 0, y: 0), to: PlanPoint(x: 12, y: 18)))
    let venue = Venue(
      id: "hall", levels: (0..<levels).map { VenueLevel(id: "l\($0)", ordinal: $0, walkable: [outline]) }, beacons: beacons,
      places: [Place(id: "west", level: "l0", position: area.center, area: area)],
      nodes: (0..<levels).map { RouteNode(id: "s\($0)", level: "l\($0)", position: PlanPoint(x: 2, y: 2)) },
      edges: (1..<max(1, levels)).map { RouteEdge(from: "s\($0 - 1)", to: "s\($0)", kind: .stairs) })
    var scenario = Scenario(
      name: "hall", duration: .seconds(seconds),
      radio: RadioModel(pathLossExponent: 2, shadowing: 5, floorAttenuation: 17, beaconSpread: 3.5), venue: venue)
    scenario.beacons = beacons.map { beacon in
      SimulatedBeacon(
        identity: beacon.identity, position: .fixed(beacon.position, level: venue.level(beacon.level)?.ordinal ?? 0), height: 2.5,
        interval: .milliseconds(450))
    }
    scenario.visitors = [VisitorPath([.init(at: .zero, place: PlanPoint(x: 12, y: 9))])]
    scenario.randomVisitors = [RandomVisitor(visitor: 0, levels: venue.levels.map(\.id), speed: 1, pause: .seconds(5))]
    scenario.receivers = [Receiver(position: .carried(by: 0), height: 1.5)]
    scenario.regions = [.place(PlaceRegion(identifier: "west", area: VenueArea(.place("west"))))]
    return scenario
  }

  private static func score(_ scenario: Scenario, seed: UInt64) throws -> ScenarioScore {
    let scorer: WalkScorer = try #require(WalkScorer(scenario, seed: seed))
    var trial = EngineTrial(scenario, walk: scorer)
    var simulator = Simulator(scenario, seed: seed, hasCrowd: false)
    while let step = simulator.next() { trial.take(step) }
    return trial.score(against: VenueTruth(scenario, seed: seed))
  }

  @Test func `the score of a venue has positions, levels, distances and places`() throws {
    let score = try Self.score(try Self.hall(spacing: 6, levels: 2, seconds: 120), seed: 2)
    let walk = try #require(score.walk)
    #expect(walk.positionErrors.count > 60 && walk.levels.count > 40)
    #expect(walk.positionErrors.reduce(0, +) / Double(walk.positionErrors.count) < 4)
    #expect(try #require(walk.wrongLevel) < 0.1)
    #expect(walk.seconds > 90 && walk.distanceErrors.count > 500)
    #expect(walk.zones.zones == 1 && walk.zones.trueCrossings > 0)
    #expect(walk.record["wrongLevel"] != nil)
  }

  @Test func `a scenario without a venue, or with receivers of several visitors, has no position to compare`() throws {
    #expect(WalkScorer(Scenario.still(metres: 2, duration: .seconds(10)), seed: 1) == nil)
    var scenario = try Self.hall(spacing: 6, seconds: 10)
    scenario.receivers.append(Receiver(position: .fixed(PlanPoint(x: 1, y: 1))))
    #expect(WalkScorer(scenario, seed: 1) == nil)
  }

  @Test(arguments: [6.0, 8.0]) func `the predicted error is a bound that simulated walks exceed at most twice`(spacing: Double) throws {
    var scenario = try Self.hall(spacing: spacing, seconds: 180)
    // The engine expects an unknown adapter 5 dB low, so it knows this one from the start.
    scenario.receivers[0].offset = -5
    let venue = try #require(scenario.venue)
    let map = PositionErrorMap(venue, venue.levels[0])
    // The mean over the walkable area, of which the walks are a sample.
    let predicted = try #require(map.meanError)
    var errors: [Double] = []
    for seed in UInt64(1)...3 { errors += try #require(try Self.score(scenario, seed: seed).walk).positionErrors }
    let simulated = errors.reduce(0, +) / Double(errors.count)
    #expect(errors.count > 300)
    #expect((0.5...1.05).contains(predicted / simulated), "predicted \(predicted) m, simulated \(simulated) m")
  }
}

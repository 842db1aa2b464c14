import Beacons
import IndoorPositioning
import Instants
import Proximity
import RouteReports
import Testing
import Venues
import Wayfinding

@testable import Simulation

/// A visitor whom the positions of the room filter guide through a simulated office.
///
/// The office is the ground floor of the scenario `three-floors`: 60 × 36 m, a beacon every 12 m, and two walls along a corridor with doors
/// at 15 m and 45 m. The device has no compass and counts no steps.
struct GuidedTrial {
  /// A place of the visitor, and the seconds there.
  typealias Stop = (x: Double, y: Double, wait: Double)

  /// The seconds at which routes after the first one began, and the positions with their seconds.
  private(set) var routes: [Double] = []
  private(set) var positions: [(seconds: Double, position: GuidedPosition)] = []
  private(set) var hasArrived = false

  /// The speed of the visitor in m/s.
  private static let speed = 1.2

  static func office() -> Venue {
    let floor = [PlanPolygon(from: PlanPoint(x: 0, y: 0), to: PlanPoint(x: 60, y: 36))].compactMap { $0 }
    var venue = Venue(id: "office", levels: [VenueLevel(id: "ground", ordinal: 0, walkable: floor)])
    for y in [12.0, 24] {
      for (from, to) in [(0.0, 14.0), (16, 44), (46, 60)] {
        venue.walls.append(VenueWall(level: "ground", from: PlanPoint(x: from, y: y), to: PlanPoint(x: to, y: y), attenuation: 4))
      }
    }
    for x in stride(from: 6.0, to: 60, by: 12) {
      for y in [6.0, 18, 30] {
        let identity = BeaconIdentity(uuid: Scenario.uuid, major: 1, minor: UInt16(venue.beacons.count))
        venue.beacons.append(PlannedBeacon(identity: identity, level: "ground", position: PlanPoint(x: x, y: y), height: 2.5, power: -59))
      }
    }
    venue.places = [Place(id: "east", level: "ground", position: PlanPoint(x: 57, y: 18))]
    return venue
  }

  /// Walks from stop to stop, on the route from the first one to the place in the east.
  init(_ stops: [Stop], seed: UInt64) throws {
    let venue = Self.office()
    let network = WayNetwork(venue)
    let start = PlanPoint(x: stops[0].x, y: stops[0].y)
    let found = try network.route(from: VenuePoint(start, level: 0), toPlace: "east", profile: .shortest)
    var guide = RouteGuide(try #require(found), in: network)
    let scenario = Self.scenario(Self.path(stops), in: venue)
    var driver = EngineDriver(engine: ProximityEngine(settings: EngineSettings(ranging: scenario.ranging), at: Scenario.start))
    driver.replaceVenues(with: [venue], learned: [:])
    driver.setPositioning(true)
    var simulator = Simulator(scenario, seed: seed, hasCrowd: false)
    while let step = simulator.next() {
      guard case .heard(let heard, let time) = step else { continue }
      for case .positioned(let position) in driver.step(heard.compactMap(scenario.sighting), through: time) {
        guard let estimate = position.output.estimate else { continue }
        let seconds = (position.output.time - Scenario.start).seconds
        let guided = GuidedPosition(VenuePoint(estimate.point, level: 0), accuracy: estimate.deviation, time: position.output.time)
        positions.append((seconds, guided))
        let output = guide.update(guided)
        if output.announcements.contains(where: { $0.kind == .rerouted }) { routes.append(seconds) }
        hasArrived = hasArrived || output.state == .arrived
      }
    }
  }

  private static func path(_ stops: [Stop]) -> VisitorPath {
    var (time, points): (Double, [VisitorPath.Waypoint]) = (0, [])
    for stop in stops {
      let point = PlanPoint(x: stop.x, y: stop.y)
      time += (points.last?.place.distance(to: point) ?? 0) / speed
      points.append(.init(at: .seconds(time), place: point))
      guard stop.wait > 0 else { continue }
      time += stop.wait
      points.append(.init(at: .seconds(time), place: point))
    }
    return VisitorPath(points)
  }

  private static func scenario(_ path: VisitorPath, in venue: Venue) -> Scenario {
    var scenario = Scenario(
      name: "office", duration: path.waypoints.last?.at ?? .zero,
      radio: RadioModel(pathLossExponent: 2.2, shadowing: 3, floorAttenuation: 17, beaconSpread: 3), walls: venue.walls, venue: venue)
    scenario.beacons = venue.beacons.map {
      SimulatedBeacon(identity: $0.identity, position: .fixed($0.position, level: 0), height: 2.5, interval: .milliseconds(450))
    }
    scenario.visitors = [path]
    scenario.receivers = [Receiver(position: .carried(by: 0), height: 1.5)]
    return scenario
  }
}

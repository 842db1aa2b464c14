import Geodesy
import Guidance
import Instants
import LocationArbitration
import Locations
import Motion
import Logging
import RouteReports
import TestSupport
import Testing
import Venues
import Wayfinding

final class FakeLocations: GuidanceLocations {
  var location: Location?
  var motion = DeviceMotion.unknown
  var now: Instant { scheduler.now }
  var hasSources = true
  let unknownReason = "no source has a fix"
  private(set) var switches: [Bool] = []
  private(set) var motionSwitches: [Bool] = []
  private let scheduler: ManualScheduler

  init(_ scheduler: ManualScheduler) { self.scheduler = scheduler }
  func motion(at location: Location) -> DeviceMotion { motion }
  func setGuiding(_ isGuiding: Bool) { switches.append(isGuiding) }
  func setFollowingMotion(_ isFollowing: Bool) { motionSwitches.append(isFollowing) }
}

final class FakeHeadings: GuidanceHeadings {
  private(set) var switches: [Bool] = []
  func setGuiding(_ isGuiding: Bool) { switches.append(isGuiding) }
}

/// A service in a venue of two levels, and the outputs of its clients.
final class GuidanceScene {
  let scheduler = ManualScheduler()
  let locations: FakeLocations
  let headings = FakeHeadings()
  let service: GuidanceService
  private(set) var outputs: [GuidanceService.Output] = []

  static let frame: VenueFrame = {
    guard let origin = Coordinate(latitude: 48.137, longitude: 11.575) else { preconditionFailure("no coordinate") }
    return VenueFrame(origin: origin, bearing: 30)
  }()

  /// A hall of 40 m by 10 m on two levels, with stairs at its right end; the shop is above the desk.
  static func venue(places: [Place] = places, hasStairs: Bool = true) -> Venue {
    let floor = [PlanPolygon(from: PlanPoint(x: 0, y: 0), to: PlanPoint(x: 40, y: 10))].compactMap { $0 }
    var venue = Venue(
      id: "hall", frame: frame,
      levels: [
        VenueLevel(id: "ground", ordinal: 0, name: ["en": "Ground floor"], walkable: floor),
        VenueLevel(id: "first", ordinal: 1, name: ["en": "First floor"], walkable: floor),
      ], places: places,
      nodes: [
        RouteNode(id: "foot", level: "ground", position: PlanPoint(x: 38, y: 5)),
        RouteNode(id: "top", level: "first", position: PlanPoint(x: 38, y: 5)),
      ])
    if hasStairs { venue.edges = [RouteEdge(from: "foot", to: "top", kind: .stairs)] }
    return venue
  }

  static let places = [
    Place(id: "desk", level: "ground", position: PlanPoint(x: 2, y: 5), title: ["en": "Desk", "de": "Empfang"]),
    Place(id: "clock", level: "ground", position: PlanPoint(x: 30, y: 5), title: ["en": "Clock"]),
    Place(id: "shop", level: "first", position: PlanPoint(x: 5, y: 5), title: ["en": "Shop"]),
    Place(id: "roof", level: "ground", position: PlanPoint(x: 300, y: 5), title: ["en": "Roof"]),
  ]

  init(_ venues: [Venue] = [GuidanceScene.venue()]) {
    locations = FakeLocations(scheduler)
    service = GuidanceService(scheduler, locations, headings, Catalogue(venues), log: LogLines().logger)
    service.onOutput = { [unowned self] in outputs.append($0) }
  }

  static func request(_ goal: GuidanceDestination.Goal, languages: [String] = ["en"]) -> GuidanceRequest {
    GuidanceRequest(GuidanceDestination(goal), languages: languages)
  }

  /// Sends a location of the present.
  func locate(_ x: Double, _ y: Double = 5, floor: Int? = 0, accuracy: Double? = 1) throws {
    let coordinate = try #require(Self.frame.coordinate(for: PlanPoint(x: x, y: y)))
    try locate(coordinate, floor: floor, accuracy: accuracy)
  }

  func locate(_ coordinate: Coordinate, floor: Int? = nil, accuracy: Double? = 5, lifetime: Span? = .seconds(10)) throws {
    var reading = LocationReading(latitude: coordinate.latitude, longitude: coordinate.longitude, horizontalAccuracy: accuracy)
    reading.floor = floor
    let location = try Location(reading, from: Location.Source("test", lifetime: lifetime), at: Receipt(recorded: scheduler.now))
    locations.location = location
    service.take(location)
  }

  /// Walks along the hall with a location each second.
  func walk(from start: Double, to end: Double, y: Double = 5, floor: Int = 0, speed: Double = 1.3) throws {
    let count = max(1, Int((abs(end - start) / speed).rounded(.up)))
    for step in 0...count {
      scheduler.advance(by: .seconds(1))
      try locate(start + (end - start) * Double(step) / Double(count), y, floor: floor)
    }
  }

  func drain() -> [GuidanceService.Output] {
    defer { outputs = [] }
    return outputs
  }

  var reports: [GuidanceReport] { outputs.compactMap { if case .update(_, let report) = $0 { report } else { nil } } }
  var instructions: [InstructionReport] { outputs.compactMap { if case .instruction(_, let sentence) = $0 { sentence } else { nil } } }
  var sentences: [String] { instructions.compactMap(\.text) }
  var kinds: [Announcement.Kind] { outputs.compactMap { if case .instruction(_, let sentence) = $0 { sentence.kind } else { nil } } }
  var routes: [GuidanceRouteReason?] { outputs.compactMap { if case .route(_, let route) = $0 { route.reason } else { nil } } }
  var failures: [GuidanceFailure] { outputs.compactMap { if case .failed(_, let failure) = $0 { failure } else { nil } } }
  var ends: [GuidanceEnd] { outputs.compactMap { if case .ended(_, let end) = $0 { end } else { nil } } }
}

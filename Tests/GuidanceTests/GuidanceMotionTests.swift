import Geodesy
import Guidance
import Headings
import Instants
import LocationArbitration
import Locations
import Motion
import Positioning
import RouteReports
import TestSupport
import Testing
import Venues
import Wayfinding

/// Guidance by the positioning service, with the motion of sensors or of a recording.
@Suite struct GuidanceMotionTests {
  private final class Sensors: MotionSensors {
    var onSamples: ([MotionSample]) -> Void = { _ in }
    var isOn = false
  }

  private final class Source: LocationSource {
    let ability: SourceAbility
    let health = LocationHealth(.fixing)
    let counts = LocationCounts()
    let heading: HeadingReport? = nil
    var onLocation: (Location) -> Void = { _ in }
    var onHealthChange: (LocationHealth) -> Void = { _ in }

    init(isLive: Bool) {
      ability = SourceAbility(
        Location.Source("test", lifetime: .seconds(10)), typicalAccuracy: 2, cost: .low, followsRecording: !isLive)
    }

    func start(for accuracy: DesiredAccuracy) {}
    func stop() {}
  }

  private final class Clock: LocationClock {
    let speed = 1.0
    private let scheduler: ManualScheduler
    init(_ scheduler: ManualScheduler) { self.scheduler = scheduler }
    var now: Instant { scheduler.now }
    func wallClock(_ instant: Instant) -> Instant { scheduler.wallClock - (now - instant) }
  }

  /// A device with a service of positions and one of guidance.
  private final class Device {
    let scheduler = ManualScheduler()
    let source: Source
    let positioning: PositioningService
    let guidance: GuidanceService
    private(set) var routes: [GuidanceRouteReason?] = []

    init(_ sensors: Sensors?, isLive: Bool = false) {
      source = Source(isLive: isLive)
      let log = LogLines().logger
      positioning = PositioningService(scheduler, [source], Clock(scheduler), sensors, log: log)
      guidance = GuidanceService(scheduler, positioning, FakeHeadings(), Catalogue([GuidanceScene.venue()]), log: log)
      positioning.onOutput = { [unowned self] in guidance.take($0) }
      guidance.onOutput = { [unowned self] in if case .route(_, let route) = $0 { routes.append(route.reason) } }
    }

    /// Sends a position on the plan after a second, with a direction of the device on the plan.
    func move(to point: PlanPoint, facing heading: Double) throws {
      scheduler.advance(by: .seconds(1))
      let bearing = heading + GuidanceScene.frame.bearing
      guidance.take(TrustedHeading(degrees: bearing, accuracy: 5))
      let coordinate = try #require(GuidanceScene.frame.coordinate(for: point))
      var reading = LocationReading(latitude: coordinate.latitude, longitude: coordinate.longitude, horizontalAccuracy: 2)
      reading.floor = 0
      let source = Location.Source("test", lifetime: .seconds(10))
      self.source.onLocation(try Location(reading, from: source, at: Receipt(recorded: scheduler.now)))
    }
  }

  @Test func `the motion sensors are on while a client is guided through a venue, and not outside`() throws {
    let sensors = Sensors()
    let device = Device(sensors)
    try device.guidance.start(1, GuidanceScene.request(.place("clock")))
    #expect(sensors.isOn)
    device.guidance.end(1)
    #expect(!sensors.isOn)
    let far = try #require(Coordinate(latitude: 48.2, longitude: 11.575))
    try device.guidance.start(1, GuidanceScene.request(.earth(far, level: nil)))
    #expect(!sensors.isOn)
    try device.guidance.start(2, GuidanceScene.request(.place("clock")))
    #expect(sensors.isOn)
    device.guidance.end(2)
    #expect(!sensors.isOn && device.guidance.isGuiding)
  }

  /// Returns the routes of a visitor who stands and looks back, in which direction the positions stray.
  private func routes(isLive: Bool = false, motion: (DeviceMotion, Device) -> Void) throws -> [GuidanceRouteReason?] {
    let device = Device(nil, isLive: isLive)
    try device.guidance.start(1, GuidanceScene.request(.place("clock")))
    motion(DeviceMotion(.walking, cadence: 1.8), device)
    for metres in 0..<12 { try device.move(to: PlanPoint(x: 2 + Double(metres), y: 5), facing: 90) }
    motion(DeviceMotion(.still), device)
    for metres in 1...10 { try device.move(to: PlanPoint(x: 13 - Double(metres), y: 5), facing: -90) }
    return device.routes
  }

  @Test func `a recorded visitor who stands gets no other route when the positions stray`() throws {
    #expect(try routes { _, _ in } == [.start, .rerouted])
    #expect(try routes { $1.positioning.take(recorded: $0) } == [.start])
  }

  @Test func `a recorded motion does not apply to a visitor whose positions are live`() throws {
    #expect(try routes(isLive: true) { $1.positioning.take(recorded: $0) } == [.start, .rerouted])
  }
}

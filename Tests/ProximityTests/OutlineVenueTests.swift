import BeaconAdvertising
import Beacons
import Events
import Geodesy
import Instants
import Proximity
import Ranging
import Regions
import Testing
import Venues

/// Venues without an indoor position: those without beacons, and those that are too large.
@Suite struct OutlineVenueTests {
  /// A garden of 60 × 40 m without beacons.
  private static let garden: Venues.Venue = {
    var level = VenueLevel()
    level.walkable = [PlanPolygon(from: PlanPoint(x: 0, y: 0), to: PlanPoint(x: 60, y: 40))].compactMap(\.self)
    return Venues.Venue(id: "garden", frame: Coordinate(latitude: 48, longitude: 11).map { VenueFrame(origin: $0) }, levels: [level])
  }()
  private static let whole = PlaceRegion(identifier: "garden", area: VenueArea(.whole, venue: "garden"))

  /// A driver of an engine, in seconds, with its events.
  private struct Device {
    var driver: EngineDriver
    var log: [String] = []
    let venue: Venues.Venue

    init(_ venue: Venues.Venue = garden, isDeaf: Bool = false) {
      self.venue = venue
      var engine = ProximityEngine(at: Instant(microseconds: 0))
      engine.add(.place(PlaceRegion(identifier: "garden", area: VenueArea(.whole, venue: venue.id))), at: Instant(microseconds: 0))
      if isDeaf { engine.setReception(.all(.lost), at: Instant(microseconds: 0)) }
      driver = EngineDriver(engine: engine)
      driver.replaceVenues(with: [venue])
    }

    mutating func take(_ outputs: [EngineDriver.Output]) {
      for case .event(let event) in outputs {
        let transition = event.transition
        log.append("\((transition.time - Instant(microseconds: 0)).seconds) \(transition.kind) \(transition.state)")
      }
    }

    mutating func pass(to seconds: Double) {
      while driver.nextWake <= at(seconds) { take(driver.step([], through: driver.nextWake)) }
      take(driver.step([], through: at(seconds)))
    }

    /// Takes a fix that is `east` metres from the western edge, in the middle of the other two.
    mutating func fix(_ seconds: Double, east: Double, accuracy: Double = 5, isLasting: Bool = false) throws {
      pass(to: seconds)
      let place = try #require(venue.frame?.coordinate(for: PlanPoint(x: east, y: 20)))
      take(driver.step(gating: Fix(place: place, accuracy: accuracy, time: at(seconds), isLasting: isLasting), at: at(seconds)))
    }

    func at(_ seconds: Double) -> Instant { Instant(microseconds: 0) + .seconds(seconds) }
  }

  @Test func `a venue without beacons is entered and left by fixes, and never costs a scan`() throws {
    var device = Device()
    #expect(device.driver.tracker?.problems["garden"] != nil && device.driver.demand == .nothing)
    for second in 1...10 { try device.fix(Double(second), east: -200) }
    for second in 11...60 { try device.fix(Double(second), east: 30) }
    for second in 61...100 { try device.fix(Double(second), east: -100) }
    #expect(device.log == ["1.0 state outside", "33.0 enter inside", "66.0 exit outside"])
    #expect(device.driver.demand == .nothing)
  }

  @Test func `a passer-by does not enter, and neither does a fix that is too coarse for the outline`() throws {
    var device = Device()
    try device.fix(1, east: -200)
    for second in 2...15 { try device.fix(Double(second), east: 10) }
    for second in 16...30 { try device.fix(Double(second), east: -30) }
    for second in 31...200 { try device.fix(Double(second), east: 30, accuracy: 60) }
    #expect(device.log == ["1.0 state outside"])
  }

  @Test func `fixes at the edge change nothing, inside or outside`() throws {
    for start in [30.0, -200] {
      var device = Device()
      for second in 1...40 { try device.fix(Double(second), east: start) }
      let before = device.log
      for second in 41...400 { try device.fix(Double(second), east: -5 + (second % 2 == 0 ? 4 : -4), accuracy: 20) }
      #expect(device.log == before && before.count == 1)
    }
  }

  @Test(arguments: [false, true]) func `a visit is unknown when the last fix ends, and continues with the next one`(isDeaf: Bool) throws {
    var device = Device(isDeaf: isDeaf)
    for second in 1...40 { try device.fix(Double(second), east: 30) }
    device.pass(to: 400)
    #expect(device.log == ["23.0 enter inside", "340.0 state unknown"])
    for second in 401...430 { try device.fix(Double(second), east: 30) }
    #expect(device.log.dropFirst(2).map { $0.suffix(12) } == ["state inside"])
    #expect(device.driver.nextWake == device.at(730))
  }

  @Test func `adapters that are lost again and again do not make a venue unknown about which a fix decides`() throws {
    var device = Device(isDeaf: true)
    for second in 1...40 { try device.fix(Double(second), east: 30) }
    for second in 41...45 {
      device.pass(to: Double(second))
      device.driver.adjust { $0.setReception(.all(.lost), at: $0.now) }
    }
    device.pass(to: 60)
    #expect(device.driver.engine.watch("garden")?.state == .inside)
  }

  @Test func `a configured location decides at once, and its end makes the venue unknown`() throws {
    var device = Device()
    try device.fix(1, east: 30, isLasting: true)
    device.pass(to: 100_000)
    #expect(device.log == ["3.0 enter inside"] && device.driver.nextWake == .never)
    device.driver.openVenues()
    device.pass(to: 100_001)
    #expect(device.log.last == "100000.0 state unknown")
  }

  @Test func `a fix from before the venue was loaded counts`() throws {
    var device = Device()
    device.driver.replaceVenues(with: [])
    try device.fix(1, east: 30, isLasting: true)
    device.driver.replaceVenues(with: [Self.garden])
    device.pass(to: 10)
    #expect(device.driver.engine.watch("garden")?.state == .inside)
  }

  @Test func `the radius of the file decides instead of the outline, and an unknown location about nothing`() throws {
    var venue = Self.garden
    venue.radius = 300
    var device = Device(venue)
    for second in 1...40 { try device.fix(Double(second), east: -200) }
    #expect(device.log == ["23.0 enter inside"])
    venue.frame = nil
    device.driver.replaceVenues(with: [venue])
    #expect(device.driver.engine.watch("garden")?.state == .unknown && device.driver.wantedAccuracy == nil)
  }

  @Test func `fixes are requested while a region is a venue without beacons, as accurate as its size needs`() {
    var device = Device()
    #expect(device.driver.wantedAccuracy == 12.5)
    device.driver.adjust { $0.remove(["garden"], of: .config) }
    #expect(device.driver.wantedAccuracy == nil)
  }

  @Test func `a venue that is too large for a position is entered by its beacons`() throws {
    let beacons = (0..<4).map { number in
      PlannedBeacon(
        identity: BeaconIdentity(uuid: ProximityTests.Venue.uuid, major: 1, minor: UInt16(number)),
        position: PlanPoint(x: Double(number) * 30_000, y: Double(number) * 30_000))
    }
    var device = Device(Venues.Venue(id: "park", beacons: beacons))
    try #require(device.driver.tracker?.problems["park"] != nil)
    #expect(device.driver.demand == .presence)
    for second in 0..<20 {
      let sighting = Sighting(beacon: beacons[0].identity, measuredPower: -59, rssi: -70, time: device.at(Double(second)))
      device.take(device.driver.step([sighting], through: sighting.time))
    }
    device.pass(to: 200)
    #expect(device.log == ["7.0 enter inside", "84.0 exit outside"])
  }

  @Test func `the probability of a fix follows its accuracy`() throws {
    let outline = try #require(VenueOutline(Self.garden))
    func probability(_ x: Double, _ accuracy: Double) throws -> Double {
      outline.probability(at: try #require(Self.garden.frame?.coordinate(for: PlanPoint(x: x, y: 20))), accuracy: accuracy)
    }
    #expect(try probability(30, 3) == 1 && probability(-60, 3) == 0 && probability(-20_000, 100) == 0)
    #expect(try abs(probability(-5, 5) - 0.5) < 0.1)
    // Exact: 0.92 along one axis and 0.79 along the other.
    #expect(try abs(probability(30, 20) - 0.92 * 0.79) < 0.05)
    #expect(try probability(30, 500) < 0.02)
  }
}

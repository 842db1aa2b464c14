import BeaconAdvertising
import Beacons
import Events
import Geodesy
import IndoorPositioning
import Instants
import Proximity
import Ranging
import Regions
import Testing
import Venues

/// The cost of a venue outside of it, and regions that are whole venues.
@Suite struct VenueGateTests {
  /// A hall of 20 × 10 m with six beacons, whose circle has a radius of 61 m.
  private static let hall: Venues.Venue = {
    let beacons = (0..<6).map { number in
      PlannedBeacon(
        identity: BeaconIdentity(uuid: ProximityTests.Venue.uuid, major: 1, minor: UInt16(number)),
        position: PlanPoint(x: Double(number % 3) * 10, y: Double(number / 3) * 10))
    }
    return Venues.Venue(id: "hall", frame: Coordinate(latitude: 48, longitude: 11).map { VenueFrame(origin: $0) }, beacons: beacons)
  }()

  /// A driver of an engine, in seconds, with its outputs.
  private struct Device {
    var driver: EngineDriver
    var log: [String] = []
    var positions: [IndoorPosition] = []
    var wakes = 0

    init(_ venue: Venues.Venue = hall, _ regions: PlaceRegion..., isPositioning: Bool = false) {
      var engine = ProximityEngine(at: Instant(microseconds: 0))
      for region in regions { engine.add(.place(region), at: Instant(microseconds: 0)) }
      driver = EngineDriver(engine: engine)
      driver.replaceVenues(with: [venue])
      driver.setPositioning(isPositioning)
    }

    mutating func take(_ outputs: [EngineDriver.Output]) {
      for output in outputs {
        switch output {
        case .positioned(let position): positions.append(position)
        case .event(let event):
          let transition = event.transition
          let seconds = (transition.time - Instant(microseconds: 0)).seconds
          log.append("\(seconds) \(transition.kind) \(transition.state) \(transition.cause)")
        case .snapshots, .scanned: break
        }
      }
    }

    mutating func pass(to seconds: Double) {
      while driver.nextWake <= at(seconds) {
        wakes += 1
        take(driver.step([], through: driver.nextWake))
      }
      take(driver.step([], through: at(seconds)))
    }

    /// Takes a fix that is `east` metres from the middle of the hall.
    mutating func fix(_ seconds: Double, east: Double, accuracy: Double = 5, isLasting: Bool = false) throws {
      let place = try #require(hall.frame?.coordinate(for: PlanPoint(x: 10 + east, y: 5)))
      take(driver.step(gating: Fix(place: place, accuracy: accuracy, time: at(seconds), isLasting: isLasting), at: at(seconds)))
    }

    /// Hears each beacon five times a second in the middle of the hall.
    mutating func hear(from start: Double, to end: Double) {
      for step in 0..<Int((end - start) * 5) {
        let time = start + Double(step) / 5
        let sightings = hall.beacons.map { beacon in
          let distance = beacon.position.distance(to: PlanPoint(x: 10, y: 5))
          return Sighting(
            beacon: beacon.identity, measuredPower: -59, rssi: ProximityTests.Venue.rssi(at: max(1, distance)), time: at(time))
        }
        take(driver.step(sightings, through: at(time)))
      }
    }

    func at(_ seconds: Double) -> Instant { Instant(microseconds: 0) + .seconds(seconds) }
  }

  // MARK: Cost

  @Test func `a fix that excludes the venue ends the scan, and beacons of the venue cost no wake-up and no work`() throws {
    var device = Device(isPositioning: true)
    #expect(device.driver.demand == .presence)
    try device.fix(1, east: 1000)
    #expect(device.driver.demand == .nothing)
    let outputs = device.positions.count
    device.hear(from: 2, to: 200)
    #expect(device.driver.demand == .nothing && device.driver.tracker?.isAwake == false)
    #expect(device.driver.nextWake == device.at(301) && device.positions.count == outputs && device.wakes == 0)
  }

  @Test func `a location that stays valid excludes the venue without any wake-up`() throws {
    var device = Device(isPositioning: true)
    try device.fix(1, east: 1000, isLasting: true)
    device.pass(to: 100_000)
    #expect(device.wakes == 0 && device.driver.nextWake == .never && device.driver.demand == .nothing)
  }

  @Test func `a fix each second outside the venue costs no scan and no wake-up of its own for an hour`() throws {
    var device = Device(isPositioning: true)
    for second in 0..<3600 {
      device.pass(to: Double(second))
      try device.fix(Double(second), east: 500 + Double(second % 7))
      #expect(device.driver.demand == .nothing)
    }
    #expect(device.wakes == 0 && device.positions.count <= 1)
  }

  @Test func `a fix that expires leaves the decision to the beacons`() throws {
    var device = Device(isPositioning: true)
    try device.fix(1, east: 1000)
    device.pass(to: 302)
    #expect(device.driver.demand == .presence && device.driver.nextWake == .never && device.wakes == 1)
  }

  @Test(arguments: [(1000.0, 400.0), (1000.0, 5000.0), (70, 5), (0, 5)])
  func `a fix whose accuracy does not exclude the venue changes nothing`(east: Double, accuracy: Double) throws {
    var device = Device(isPositioning: true)
    try device.fix(1, east: east, accuracy: accuracy)
    #expect(device.driver.demand == .presence)
  }

  @Test func `a venue without a location on the earth is never excluded`() throws {
    var venue = Self.hall
    venue.frame = nil
    var device = Device(venue, isPositioning: true)
    try device.fix(1, east: 1_000_000)
    #expect(device.driver.demand == .presence)
  }

  @Test func `the radius of the venue file decides instead of the outline`() throws {
    var venue = Self.hall
    venue.radius = 2000
    var device = Device(venue, isPositioning: true)
    try device.fix(1, east: 1000)
    #expect(device.driver.demand == .presence)
    try device.fix(2, east: 3000)
    #expect(device.driver.demand == .nothing)
  }

  // MARK: Entering and leaving

  @Test func `positioning starts when a fix reaches the venue, and ends 20 s after fixes show that the device has left`() throws {
    var device = Device(isPositioning: true)
    try device.fix(1, east: 1000)
    try device.fix(60, east: 50)
    #expect(device.driver.demand == .presence)
    device.hear(from: 61, to: 75)
    #expect(device.driver.demand == .strength && device.positions.contains { $0.output.estimate != nil })
    for second in 75..<100 {
      device.hear(from: Double(second), to: Double(second) + 1)
      try device.fix(Double(second) + 1, east: 200)
      #expect((device.driver.demand == .nothing) == (second + 1 >= 96), "second \(second)")
    }
    #expect(device.positions.last?.output.absence == .outside && device.driver.tracker?.isAwake == false)
  }

  @Test func `a single fix outside does not end the position of a device whose beacons are heard`() throws {
    var device = Device(isPositioning: true)
    device.hear(from: 0, to: 10)
    try device.fix(10, east: 400)
    device.hear(from: 10, to: 20)
    try device.fix(20, east: 10)
    device.hear(from: 20, to: 60)
    #expect(device.driver.demand == .strength && device.positions.last?.output.estimate != nil)
  }

  @Test func `a configured location far away ends the position at once, because no other one follows it`() throws {
    var device = Device(isPositioning: true)
    device.hear(from: 0, to: 10)
    try device.fix(10, east: 400, isLasting: true)
    #expect(device.driver.demand == .nothing && device.positions.last?.output.absence == .outside)
    device.hear(from: 10, to: 100)
    #expect(device.driver.demand == .nothing && device.driver.tracker?.isAwake == false)
  }

  @Test func `a fix far away that beacons contradict counts when they fall silent`() throws {
    var device = Device(isPositioning: true)
    device.hear(from: 0, to: 10)
    try device.fix(10, east: 400)
    device.hear(from: 10, to: 15)
    #expect(device.driver.demand == .strength)
    device.pass(to: 40)
    #expect(device.driver.demand == .nothing)
    device.pass(to: 311)
    #expect(device.driver.demand == .presence)
  }

  @Test func `one wrong fix does not end the position of a device whose beacons are heard, however long it is valid`() throws {
    var device = Device(isPositioning: true)
    device.hear(from: 0, to: 10)
    try device.fix(10, east: 400)
    device.hear(from: 10, to: 60)
    #expect(device.driver.demand == .strength && device.positions.last?.output.estimate != nil)
    #expect(device.positions.allSatisfy { $0.output.absence != .outside })
  }

  @Test func `a device at the boundary does not switch the scan on and off`() throws {
    var device = Device(isPositioning: true)
    var changes = 0
    var last = device.driver.demand
    for second in 0..<600 {
      // The fixes scatter by 10 m around the distance at which an open gate closes.
      try device.fix(Double(second), east: 61 + 30 + 15 + (second % 2 == 0 ? 10 : -10))
      if device.driver.demand != last { changes += 1 }
      last = device.driver.demand
    }
    #expect(changes <= 1)
  }

  @Test func `a coarse fix of another source does not contradict a fine one that is recent`() throws {
    var device = Device(isPositioning: true)
    try device.fix(1, east: 1000, accuracy: 5)
    try device.fix(10, east: 0, accuracy: 3000)
    #expect(device.driver.demand == .nothing)
    try device.fix(40, east: 0, accuracy: 3000)
    #expect(device.driver.demand == .presence)
  }

  @Test func `the learned offsets of a receiver outlive the visit`() throws {
    var device = Device(isPositioning: true)
    device.hear(from: 0, to: 30)
    let learned = device.driver.tracker?.learned
    for second in 31..<60 { try device.fix(Double(second), east: 500) }
    #expect(device.driver.demand == .nothing && device.driver.tracker?.learned == learned)
  }

  // MARK: Places

  @Test func `a place needs the scan where the device may be, and is left when a fix excludes the venue`() throws {
    var device = Device(Self.hall, PlaceRegion(identifier: "level", area: VenueArea(.level("ground"))))
    #expect(device.driver.demand == .presence)
    device.hear(from: 0, to: 10)
    #expect(device.driver.engine.watch("level")?.state == .inside)
    for second in 10..<50 { try device.fix(Double(second), east: 500) }
    device.pass(to: 60)
    #expect(device.driver.engine.watch("level")?.state == .outside && device.driver.demand == .nothing)
  }

  private static let level = PlaceRegion(identifier: "level", area: VenueArea(.level("ground")))

  /// A device that restores a visit and has no adapter.
  private func deafDevice(_ region: PlaceRegion) throws -> Device {
    var before = Device(Self.hall, region)
    before.hear(from: 0, to: 20)
    let saved = try #require(before.driver.engine.saved(region.identifier) { $0 })
    #expect(saved.remembered == .inside)
    var device = Device(Self.hall, region)
    device.driver.adjust { engine in
      engine.setReception(.each([]), at: engine.now)
      engine.restore([saved], after: .seconds(10), at: engine.now) { $0 }
    }
    return device
  }

  @Test(arguments: [level, whole])
  func `a fix that excludes the venue ends a restored visit, even without an adapter`(region: PlaceRegion) throws {
    var device = try deafDevice(region)
    try device.fix(1, east: 1000, isLasting: true)
    device.pass(to: 100)
    #expect(device.log == ["6.0 exit outside departure"])
    #expect(device.wakes <= 1 && device.driver.nextWake == .never)
  }

  @Test(arguments: [level, whole])
  func `a fix ends a visit that is restored or whose venue is loaded after the fix`(region: PlaceRegion) throws {
    var device = Device()
    try device.fix(1, east: 1000, isLasting: true)
    let saved = try #require(try deafDevice(region).driver.engine.saved(region.identifier) { $0 })
    device.driver.adjust { engine in
      engine.setReception(.each([]), at: engine.now)
      engine.add(.place(region), at: engine.now)
      engine.restore([saved], after: .seconds(10), at: engine.now) { $0 }
    }
    device.pass(to: 3)
    device.driver.replaceVenues(with: [Self.hall])
    device.pass(to: 100)
    #expect(device.log == ["6.0 exit outside departure"])

    device = try deafDevice(region)
    device.driver.replaceVenues(with: [])
    try device.fix(1, east: 1000, isLasting: true)
    device.driver.replaceVenues(with: [Self.hall])
    device.pass(to: 100)
    #expect(device.log == ["6.0 exit outside departure"])
  }

  @Test func `the effect of a fix on a venue does not depend on the time steps`() throws {
    func events(_ step: Double) throws -> [String] {
      var device = Device(Self.hall, Self.whole)
      try device.fix(1, east: 1000)
      device.driver.adjust { $0.add(.place(Self.level), at: $0.now) }
      for time in stride(from: 1, through: 401, by: step) { device.take(device.driver.step([], through: device.at(time))) }
      #expect(device.driver.nextWake == .never)
      device.hear(from: 410, to: 430)
      device.take(device.driver.step([], through: device.at(600)))
      return device.log
    }
    let fine = try events(1)
    #expect(fine.contains { $0.contains("enter") } && fine.contains { $0.contains("exit") })
    #expect(try events(400) == fine)
  }

  // MARK: Whole venues

  private static let whole = PlaceRegion(identifier: "hall", area: VenueArea(.whole, venue: "hall"))

  @Test func `the silence of a venue counts from the start of the clock`() {
    var device = Device(Self.hall, Self.whole)
    device.driver.start(at: device.at(1000))
    device.pass(to: 1059)
    #expect(device.log.isEmpty)
    device.pass(to: 1100)
    #expect(device.log == ["1060.0 state outside fix"])
  }

  @Test func `silence does not affect a venue while the scan is held off far from a circle`() throws {
    var device = Device(Self.hall, Self.whole)
    let center = try #require(Coordinate(latitude: 48.1, longitude: 11))
    let place = try #require(Coordinate(latitude: 10, longitude: 11))
    let circle = try #require(Circle(center: center, radius: 100))
    device.driver.adjust { engine in
      engine.add(.circle(CircularRegion(identifier: "museum", circle: circle, gate: CircularRegion.Gate())), at: engine.now)
    }
    device.take(device.driver.step(Fix(place: place, accuracy: 5, time: device.at(0), isLasting: true), at: device.at(0)))
    device.pass(to: 50)
    try #require(!device.driver.engine.isScanWorthwhile)
    device.pass(to: 200)
    #expect(device.driver.engine.watch("hall")?.state == .unknown)
  }

  @Test func `beacons that are heard without an RSSI enter the venue`() {
    var device = Device(Self.hall, Self.whole)
    for second in 0..<10 {
      let sighting = Sighting(beacon: Self.hall.beacons[0].identity, measuredPower: -59, rssi: nil, time: device.at(Double(second)))
      device.take(device.driver.step([sighting], through: sighting.time))
    }
    #expect(device.log == ["7.0 enter inside approach"])
  }

  @Test func `a passer-by after a pause of the adapters does not resume a visit that has ended`() {
    var device = Device(Self.hall, Self.whole)
    device.hear(from: 0, to: 20)
    device.pass(to: 200)
    device.driver.adjust { $0.setReception(.all(.lost), at: Instant(microseconds: 200_000_000)) }
    device.pass(to: 300)
    device.driver.adjust { $0.setReception(.all(.hearing), at: Instant(microseconds: 300_000_000)) }
    device.hear(from: 301, to: 303)
    device.pass(to: 500)
    #expect(device.log.count { $0.contains("enter") } == 1 && device.driver.engine.watch("hall")?.state == .outside)
  }

  @Test(arguments: [true, false])
  func `a visit that a lasting location began ends after it is replaced or dropped`(isReplaced: Bool) throws {
    var device = Device(Self.hall, Self.whole)
    try device.fix(1, east: 20, isLasting: true)
    device.pass(to: 100)
    // The next location is close to the circle, so that it neither confirms nor excludes the venue.
    if isReplaced { try device.fix(100, east: 75, accuracy: 20, isLasting: true) } else { device.driver.openVenues() }
    device.pass(to: 300)
    #expect(device.log == ["3.0 enter inside approach", "165.0 exit outside departure"])
  }

  @Test func `a fix in the circle still counts when the adapters are lost, and the venue is unknown when it expires`() throws {
    var device = Device(Self.hall, Self.whole)
    try device.fix(1, east: 20)
    device.pass(to: 100)
    device.driver.adjust { $0.setReception(.all(.lost), at: Instant(microseconds: 100_000_000)) }
    device.pass(to: 200)
    #expect(device.log.first == "3.0 enter inside approach" && device.driver.engine.watch("hall")?.state == .inside)
    device.pass(to: 400)
    #expect(device.log.last == "301.0 state unknown locationLost")
  }

  @Test func `a region is unknown once its venue is removed or renamed`() {
    var renamed = Self.hall
    renamed.id = "gallery"
    for venues in [[], [renamed]] {
      var device = Device(Self.hall, Self.whole)
      device.hear(from: 0, to: 20)
      device.driver.replaceVenues(with: venues)
      device.pass(to: 30)
      #expect(device.log == ["7.0 enter inside approach", "19.8 state unknown locationLost"])
    }
  }

  @Test func `a venue is entered when its beacons have been heard for 5 s, and left after 60 s of silence`() throws {
    var device = Device(Self.hall, Self.whole)
    device.hear(from: 100, to: 120)
    device.pass(to: 300)
    #expect(device.log == ["60.0 state outside fix", "107.0 enter inside approach", "184.8 exit outside departure"])
    #expect(device.driver.nextWake == .never && device.driver.demand == .presence)
  }

  @Test func `a device that passes by hears beacons for too short a time to enter the venue`() throws {
    var device = Device(Self.hall, Self.whole)
    device.hear(from: 100, to: 103)
    device.pass(to: 300)
    device.hear(from: 300, to: 302)
    device.pass(to: 400)
    #expect(device.log == ["60.0 state outside fix"])
  }

  @Test func `a fix in the circle enters the venue, and one that excludes it leaves the venue`() throws {
    var device = Device(Self.hall, Self.whole)
    try device.fix(1, east: 1000)
    try device.fix(50, east: 20)
    device.pass(to: 100)
    try device.fix(100, east: 300)
    device.pass(to: 200)
    #expect(device.log == ["1.0 state outside fix", "52.0 enter inside approach", "105.0 exit outside departure"])
  }

  @Test func `a venue is unknown while no adapter can hear, and its visit continues afterwards`() throws {
    var device = Device(Self.hall, Self.whole)
    device.hear(from: 0, to: 20)
    device.driver.adjust { $0.setReception(.all(.lost), at: Instant(microseconds: 20_000_000)) }
    device.pass(to: 200)
    device.driver.adjust { $0.setReception(.all(.hearing), at: Instant(microseconds: 200_000_000)) }
    device.hear(from: 201, to: 210)
    #expect(device.log == ["7.0 enter inside approach", "20.0 state unknown locationLost", "201.0 state inside fix"])
    device.pass(to: 400)
    #expect(device.log.last == "274.8 exit outside departure")
  }

  @Test func `a visit ends after the silence that follows an adapter's return`() throws {
    var device = Device(Self.hall, Self.whole)
    device.hear(from: 0, to: 20)
    device.driver.adjust { $0.setReception(.all(.lost), at: Instant(microseconds: 20_000_000)) }
    device.pass(to: 200)
    device.driver.adjust { $0.setReception(.all(.hearing), at: Instant(microseconds: 200_000_000)) }
    device.pass(to: 400)
    #expect(device.log.last == "265.0 exit outside departure")
  }

  @Test func `the events of a venue do not depend on the batches of the sightings`() throws {
    func events(_ batch: Int) -> [String] {
      var device = Device(Self.hall, Self.whole, PlaceRegion(identifier: "level", area: VenueArea(.level("ground"))))
      let sightings = (0..<2000).map { step in
        Sighting(
          beacon: Self.hall.beacons[step % 6].identity, measuredPower: -59, rssi: -70, time: device.at(10 + Double(step) / 30))
      }
      for start in stride(from: 0, to: sightings.count, by: batch) {
        let part = Array(sightings[start..<min(start + batch, sightings.count)])
        device.take(device.driver.step(part, through: part[part.count - 1].time))
      }
      device.pass(to: 300)
      return device.log
    }
    let single = events(1)
    #expect(single.contains { $0.contains("enter") } && single.contains { $0.contains("exit") })
    #expect(events(17) == single && events(2000) == single)
  }
}

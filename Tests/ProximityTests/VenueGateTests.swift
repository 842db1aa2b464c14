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
  // MARK: Cost

  @Test func `a fix that excludes the venue ends the scan, and beacons of the venue cost no wake-up and no work`() throws {
    var device = Device(isPositioning: true)
    #expect(device.driver.demand == .presence)
    try device.fix(1, east: 1000)
    #expect(device.driver.demand == .nothing)
    let outputs = device.positions.count
    device.hear(from: 2, to: 200)
    #expect(device.driver.demand == .nothing && device.driver.tracker?.hearsVenue == false)
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
    #expect(device.positions.last?.output.absence == .outside && device.driver.tracker?.hearsVenue == false)
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
    #expect(device.driver.demand == .nothing && device.driver.tracker?.hearsVenue == false)
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

  static let level = PlaceRegion(identifier: "level", area: VenueArea(.level("ground")))

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
}

import Beacons
import Events
import Instants
import Proximity
import Ranging
import Regions
import Testing

/// Scanning only near a circle.
@Suite struct ScanGateTests {
  func driver(_ gate: CircularRegion.Gate? = CircularRegion.Gate()) throws -> EngineDriver {
    var engine = ProximityEngine(at: .seconds(0))
    engine.add(try Walk.region("mall", gate: gate), at: .seconds(0))
    engine.add(.beacon(Venue.region("till", exitDelay: 30)), at: .seconds(0))
    return EngineDriver(engine: engine)
  }

  @Test func `the scan pauses some time after the device is far away, and resumes at once near a circle`() throws {
    var driver = try driver()
    _ = driver.step(try Walk.fix(0, east: 5000), at: .seconds(0))
    _ = driver.step([], through: .seconds(19))
    #expect(driver.demand == .presence)
    #expect(driver.nextWake == .seconds(20))
    _ = driver.step([], through: .seconds(20))
    #expect(driver.demand == .nothing)
    _ = driver.step(try Walk.fix(21, east: 202), at: .seconds(21))
    #expect(driver.demand == .presence)
  }

  @Test func `the scan resumes when fixes end`() throws {
    var driver = try driver()
    _ = driver.step(try Walk.fix(0, east: 5000), at: .seconds(0))
    _ = driver.step([], through: .seconds(299))
    #expect(driver.demand == .nothing)
    _ = driver.step([], through: .seconds(300))
    #expect(driver.demand == .presence)
  }

  @Test func `the scan continues while a visitor is inside a beacon region`() throws {
    var driver = try driver()
    _ = driver.step([Venue().sighting(1)], through: .seconds(1))
    _ = driver.step(try Walk.fix(2, east: 5000), at: .seconds(2))
    _ = driver.step([], through: .seconds(30))
    #expect(driver.demand == .presence)
    _ = driver.step([], through: .seconds(31))
    #expect(driver.engine.watch("till")?.state == .outside)
    #expect(driver.demand == .nothing)
  }

  @Test(arguments: [(8.0, HearingDemand.nothing), (1.4, .presence)])
  func `the scan pauses while the device is too fast for the circle`(speed: Double, demand: HearingDemand) throws {
    var driver = try driver(CircularRegion.Gate(mostSpeed: 2.5))
    _ = driver.step(try Walk.fix(0, east: 0, speed: speed), at: .seconds(0))
    _ = driver.step([], through: .seconds(20))
    #expect(driver.demand == demand)
  }

  @Test func `the remaining circles decide when a near one is removed`() throws {
    var driver = try driver()
    let far = try Walk.region("far", east: 10_000, gate: CircularRegion.Gate())
    driver.adjust { $0.add(far, at: .seconds(0)) }
    let place = Fix(place: try Walk.fix(0, east: 0).place, accuracy: 3, time: .seconds(0), isLasting: true)
    _ = driver.step(place, at: .seconds(0))
    _ = driver.step([], through: .seconds(100))
    #expect(driver.demand == .presence)
    driver.adjust { $0.remove(["mall"], of: .config) }
    #expect(driver.nextWake == .seconds(100))
    _ = driver.step([], through: .seconds(100))
    _ = driver.step([], through: .seconds(120))
    #expect(driver.demand == .nothing)
  }

  @Test func `a circle without a gate, and ranging, keep the scan on`() throws {
    var free = try driver(nil)
    _ = free.step(try Walk.fix(0, east: 5000), at: .seconds(0))
    _ = free.step([], through: .seconds(20))
    #expect(free.demand == .presence)
    var ranged = try driver()
    ranged.adjust { $0.startRanging(Venue.region().constraint) }
    _ = ranged.step(try Walk.fix(0, east: 5000), at: .seconds(0))
    _ = ranged.step([], through: .seconds(20))
    #expect(ranged.demand == .strength)
  }
}

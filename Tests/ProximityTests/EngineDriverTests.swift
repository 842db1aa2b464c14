import BeaconAdvertising
import Beacons
import IndoorPositioning
import Instants
import Proximity
import Ranging
import Regions
import Testing

@Suite struct EngineDriverTests {
  let constraint = BeaconConstraint(uuid: Venue.uuid)

  func instant(_ seconds: Double) -> Instant { Instant(microseconds: 0) + .seconds(seconds) }

  func sighting(_ seconds: Double) -> Sighting {
    Sighting(beacon: BeaconIdentity(uuid: Venue.uuid, major: 1, minor: 1), measuredPower: -59, rssi: -59, time: instant(seconds))
  }

  func driver(start: Double = 10.25, isRanging: Bool = true) -> EngineDriver {
    var engine = ProximityEngine(at: Instant(microseconds: 0))
    engine.add(.beacon(Venue.region()), at: engine.now)
    if isRanging { engine.startRanging(constraint) }
    var driver = EngineDriver(engine: engine)
    driver.start(at: instant(start))
    return driver
  }

  func lines(_ outputs: [EngineDriver.Output]) -> [String] {
    outputs.map { output in
      switch output {
      case .event(let event): "\((event.transition.time - Instant(microseconds: 0)).seconds) \(event.transition.kind)"
      case .scanned(let snapshot): "\((snapshot.time - Instant(microseconds: 0)).seconds) scanned \(snapshot.beaconCount)"
      case .snapshots(let snapshots, let time):
        "\((time - Instant(microseconds: 0)).seconds) \(snapshots[constraint]?.count ?? -1) beacons"
      case .positioned(let position): "\((position.output.time - Instant(microseconds: 0)).seconds) position"
      }
    }
  }

  @Test func `snapshots come at whole seconds of the source's clock, with the sightings before them`() {
    var driver = driver()
    #expect(
      lines(driver.step([sighting(10.9), sighting(12)], through: instant(13.5))) == [
        "10.9 enter", "11.0 1 beacons", "12.0 1 beacons", "13.0 1 beacons",
      ])
  }

  @Test func `passive ranging needs no scan, and lists what the scan of a region hears`() {
    var engine = ProximityEngine(at: Instant(microseconds: 0))
    engine.startRanging(constraint, isPassive: true)
    var driver = EngineDriver(engine: engine)
    driver.start(at: instant(10.25))
    #expect(driver.demand == .nothing)
    #expect(!driver.engine.demandedConstraints.contains(constraint))
    driver.adjust { $0.add(.beacon(Venue.region()), at: $0.now) }
    #expect(driver.demand == .presence)
    #expect(lines(driver.step([sighting(10.9)], through: instant(11.5))) == ["10.9 enter", "11.0 1 beacons"])
    driver.adjust { $0.startRanging(constraint) }
    #expect(driver.demand == .strength)
    driver.adjust { $0.stopRanging(constraint) }
    #expect(driver.demand == .presence)
    #expect(lines(driver.step([sighting(11.9)], through: instant(12.5))) == ["12.0 1 beacons"])
    driver.adjust { $0.stopRanging(constraint, isPassive: true) }
    #expect(lines(driver.step([sighting(12.9)], through: instant(13.5))) == [])
  }

  @Test func `events and snapshots are in the order of their times`() {
    var driver = driver()
    let outputs = lines(driver.step([sighting(11.5)], through: instant(45)))
    let times = outputs.compactMap { Double($0.prefix { $0 != " " }) }
    #expect(times == times.sorted())
    #expect(outputs.contains("41.5 exit"))
    #expect(outputs.first == "11.0 0 beacons")
  }

  /// Returns the reception of the only beacon in the last snapshot.
  private func reception(_ outputs: [EngineDriver.Output]) -> BeaconReception? {
    outputs.reversed().lazy.compactMap { output in
      if case .snapshots(let snapshots, _) = output { snapshots[constraint]?.first } else { nil }
    }.first?.reception
  }

  @Test func `the interval of a beacon is in snapshots if it is wanted, whatever the batches are`() throws {
    let sightings = (1...60).map { sighting(10.5 + 0.2 * Double($0)) }.enumerated().filter { $0.offset % 5 != 0 }.map(\.element)
    var (whole, pieces, unwanted) = (driver(), driver(), driver())
    (whole.reportsReception, pieces.reportsReception) = (true, true)
    let all = whole.step(sightings, through: instant(22))
    // A batch reaches beyond the time of a snapshot.
    let parts = stride(from: 0, to: sightings.count, by: 7).flatMap { start in
      let batch = Array(sightings[start..<min(start + 7, sightings.count)])
      return pieces.step(batch, through: batch.last?.time ?? instant(22))
    }
    let learned = try #require(reception(all))
    #expect(abs((learned.interval ?? 0) - 0.2) < 1e-6 && abs((learned.loss ?? 0) - 0.2) < 0.03)
    #expect(reception(parts + pieces.step([], through: instant(22))) == learned)
    #expect(reception(unwanted.step(sightings, through: instant(22))) == nil)
    whole.adjust { [constraint] in $0.stopRanging(constraint) }
    whole.adjust { [constraint] in $0.startRanging(constraint) }
    #expect(reception(whole.step([sighting(22.5)], through: instant(23))) == nil, "it is learned again")
  }

  @Test func `no snapshots come without ranging`() {
    var driver = driver(isRanging: false)
    #expect(lines(driver.step([sighting(11)], through: instant(20))) == ["11.0 enter"])
    #expect(driver.nextWake <= instant(41))
  }

  @Test func `the next wake-up is the next snapshot, and without beacons only the exit clock`() {
    var driver = driver()
    _ = driver.step([sighting(10.5)], through: instant(10.6))
    #expect(driver.nextWake == instant(11))
    _ = driver.step([], through: instant(30))
    #expect(driver.nextWake > instant(31) && driver.nextWake <= instant(40.5))
    #expect(lines(driver.step([], through: instant(60))).contains("40.5 exit"))
    #expect(driver.nextWake == .never)
  }

  @Test func `a silence has snapshots until every beacon is gone, and a clock that jumps has no additional ones`() {
    var driver = driver()
    let jump = 1_600_000_000.5
    let outputs = lines(driver.step([sighting(10.5), sighting(jump)], through: instant(jump + 0.6)))
    let snapshots = outputs.filter { $0.contains("beacons") }
    #expect(snapshots.first == "11.0 1 beacons")
    #expect(snapshots.dropLast().last == "21.0 0 beacons")
    #expect(snapshots.last == "1600000001.0 1 beacons")
    #expect(snapshots.count == 12)
    #expect(outputs.contains("40.5 exit"))
  }

  @Test(arguments: [0.3, 7, 100])
  func `snapshots do not depend on the steps into which a silence is divided`(step: Double) {
    var (whole, cut) = (driver(), driver())
    let expected = lines(whole.step([sighting(10.5), sighting(95.25)], through: instant(130)))
    var outputs = lines(cut.step([sighting(10.5)], through: instant(10.5)))
    for time in stride(from: 10.5 + step, to: 95.25, by: step) { outputs += lines(cut.step([], through: instant(time))) }
    outputs += lines(cut.step([sighting(95.25)], through: instant(130)))
    #expect(outputs == expected)
  }

  @Test func `a region that waits for its first sighting counts from the start of the source`() {
    var driver = driver(start: 1_000_000)
    #expect(lines(driver.step([], through: instant(1_000_029))).contains { $0.contains("state") } == false)
    #expect(lines(driver.step([], through: instant(1_000_030))).contains("1000030.0 state"))
  }

  @Test func `ranging from before the source's first time has its first snapshot a second after it`() {
    let start = Instant(microseconds: 1_581_252_284_000_000)
    var driver = EngineDriver(engine: ProximityEngine(at: Instant(microseconds: 0)))
    driver.adjust { $0.startRanging(constraint) }
    driver.start(at: start)
    let times = driver.step([], through: start + .seconds(2)).map { output in
      if case .snapshots(_, let time) = output { time } else { Instant.never }
    }
    #expect(times == [start + .seconds(1), start + .seconds(2)])
  }
}

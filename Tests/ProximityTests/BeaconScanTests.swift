import BeaconAdvertising
import Beacons
import Events
import Instants
import Proximity
import Ranging
import Records
import Regions
import TestSupport
import Testing

@Suite struct BeaconScanTests {
  private static let start = Instant(microseconds: 0)

  private func instant(_ seconds: Double) -> Instant { Self.start + .seconds(seconds) }

  private func sighting(_ seconds: Double, minor: UInt16 = 1, uuid: UInt64 = 1, rssi: Int8? = -59, power: Int8 = -59) -> Sighting {
    let beacon = BeaconIdentity(uuid: BeaconUUID(high: 0, low: uuid), major: 1, minor: minor)
    return Sighting(beacon: beacon, measuredPower: power, rssi: rssi, time: instant(seconds))
  }

  private func scan(_ sightings: [Sighting]) -> BeaconScan {
    var scan = BeaconScan(at: Self.start)
    for sighting in sightings { scan.hear(sighting, at: sighting.time) }
    return scan
  }

  @Test func `beacons are grouped under their UUID, strongest first`() {
    let snapshot = scan([
      sighting(1, minor: 3, rssi: -80), sighting(1, minor: 2, rssi: -60), sighting(1, minor: 9, uuid: 2, rssi: -70),
      sighting(1, minor: 4, rssi: nil),
    ]).snapshot(at: instant(2))
    #expect(snapshot.uuids.map(\.uuid.low) == [1, 2])
    #expect(snapshot.uuids.map(\.count) == [3, 1])
    #expect(snapshot.uuids.first?.beacons.map(\.beacon.minor) == [2, 3, 4])
    #expect(snapshot.uuids.first?.strongest.rssi == -60)
    // 1.12 m by path loss alone.
    #expect(abs((snapshot.uuids.first?.strongest.distance ?? 0) - 2.230) < 0.001)
  }

  @Test func `silent beacons stay listed after the present ones`() {
    let snapshot = scan([sighting(1, minor: 1, uuid: 1, rssi: -40), sighting(11, minor: 1, uuid: 2, rssi: -90)]).snapshot(at: instant(11))
    #expect(snapshot.uuids.map(\.uuid.low) == [2, 1])
    #expect(snapshot.uuids.map(\.lastSeen) == [instant(11), instant(1)])
  }

  @Test func `a beacon with an implausible measured power has no distance`() {
    #expect(scan([sighting(1, power: 0)]).snapshot(at: instant(1)).uuids.first?.strongest.distance == nil)
  }

  @Test func `a crowd displaces no present beacon, and the displaced ones are counted`() {
    var scan = scan([])
    for second in 0..<40 {
      scan.hear(sighting(Double(second), minor: 1), at: instant(Double(second)))
      for number in 0..<200 {
        scan.hear(sighting(Double(second), uuid: UInt64(100 + second * 200 + number), rssi: -90), at: instant(Double(second)))
      }
      let snapshot = scan.snapshot(at: instant(Double(second)))
      #expect(snapshot.beaconCount <= BeaconScan.capacity)
      #expect(snapshot.uuids.count <= ScanSnapshot.mostUUIDs)
      #expect(snapshot.uuids.first?.uuid.low == 1)
    }
    let snapshot = scan.snapshot(at: instant(40))
    #expect(snapshot.uuidCount == snapshot.beaconCount)
    #expect(snapshot.forgotten > 0)
    // Each of the 8,000 strangers was listed, forgotten or counted as unlisted.
    #expect(snapshot.beaconCount - 1 + snapshot.forgotten + snapshot.unlisted == 8000)
  }

  @Test func `sixteen beacons of a UUID are listed, and all are counted`() {
    let snapshot = scan((1...40).map { sighting(1, minor: $0, rssi: -Int8($0) - 40) }).snapshot(at: instant(1))
    #expect(snapshot.uuids.first?.count == 40)
    #expect(snapshot.uuids.first?.beacons.map(\.beacon.minor) == Array(1...16))
  }

  @Test func `the record has the counts of omitted beacons only if some were omitted`() {
    var kinds = Tally<AdvertisementKind>()
    kinds.count(.eddystone)
    let text = scan([sighting(1)]).snapshot(at: instant(2)).report(kinds: kinds).record.json
    #expect(
      text == """
        {"time":"1970-01-01T00:00:02.000000Z","since":"1970-01-01T00:00:00.000000Z","uuids":[{"uuid":"00000000-0000-0000-0000-000000000001",\
        "count":1,"rssi":-59.0,"distance":2.10,"rate":1.0,"lastSeen":"1970-01-01T00:00:01.000000Z","beacons":[{"major":1,"minor":1,\
        "rssi":-59.0,"distance":2.10,"rate":1.0,"lastSeen":"1970-01-01T00:00:01.000000Z"}]}],"uuidCount":1,"beaconCount":1,\
        "advertisements":1,"kinds":{"eddystone":1}}
        """)
  }
}

/// A scan beside regions, driven as in the daemon.
@Suite struct ScanningDriverTests {
  private func instant(_ seconds: Double) -> Instant { Instant(microseconds: 0) + .seconds(seconds) }

  private func driver() -> EngineDriver {
    var engine = ProximityEngine(settings: EngineSettings(capacity: 16), at: Instant(microseconds: 0))
    engine.add(.beacon(Venue.region()), at: engine.now)
    var driver = EngineDriver(engine: engine)
    driver.start(at: instant(10.25))
    return driver
  }

  private func sighting(_ seconds: Double, minor: UInt16 = 1, uuid: BeaconUUID = Venue.uuid) -> Sighting {
    Sighting(beacon: BeaconIdentity(uuid: uuid, major: 1, minor: minor), measuredPower: -59, rssi: -59, time: instant(seconds))
  }

  private func scans(_ outputs: [EngineDriver.Output]) -> [ScanSnapshot] {
    outputs.compactMap { if case .scanned(let snapshot) = $0 { snapshot } else { nil } }
  }

  @Test func `every whole second has a snapshot of the beacons heard before it, also in silence`() {
    var driver = driver()
    driver.startScan()
    #expect(driver.nextWake == instant(11))
    let stranger = sighting(10.5, uuid: BeaconUUID(high: 7, low: 7))
    var told = scans(driver.step([stranger, sighting(11.5)], through: instant(12.5)))
    for second in 13...30 { told += scans(driver.step([], through: instant(Double(second) + 0.001))) }
    #expect(told.map(\.time) == (11...30).map { instant(Double($0)) })
    #expect(told.map(\.beaconCount).prefix(3) == [1, 2, 2])
    #expect(told.first?.start == instant(10.25))
  }

  @Test func `the end of a scan drops its beacons and its deadline`() {
    var driver = driver()
    let quiet = driver.nextWake
    driver.startScan()
    driver.stopScan()
    #expect(driver.nextWake == quiet)
    #expect(scans(driver.step([sighting(11.5, uuid: BeaconUUID(high: 7, low: 7))], through: instant(20))) == [])
  }

  @Test func `strangers in a scan displace no beacon from its region`() {
    var driver = driver()
    driver.startScan()
    _ = driver.step([sighting(11)], through: instant(11))
    let strangers = (0..<5000).map { sighting(12, minor: UInt16($0), uuid: BeaconUUID(high: 7, low: UInt64($0))) }
    _ = driver.step(strangers, through: instant(13))
    #expect(driver.engine.beaconCount == 1)
    #expect(driver.engine.watch("hall")?.state == .inside)
  }

  @Test func `a clock that jumps causes one snapshot, and not one for every second`() {
    var driver = driver()
    driver.startScan()
    #expect(scans(driver.step([], through: instant(1e9))).map(\.time) == [instant(1e9)])
  }

  @Test func `an event precedes the snapshot of its second`() {
    var driver = driver()
    driver.startScan()
    let kinds = driver.step([sighting(10.5)], through: instant(11)).map { output in
      if case .event = output { "event" } else { "snapshot" }
    }
    #expect(kinds == ["event", "snapshot"])
  }
}

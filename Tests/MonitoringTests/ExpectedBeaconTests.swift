import BeaconAdvertising
import BeaconHealth
import Beacons
import Events
import Instants
import Monitoring
import Proximity
import RadioHealth
import Ranging
import Regions
import Status
import TestSupport
import Testing

/// Expected beacons in the monitoring service.
@Suite struct ExpectedBeaconTests {
  private static let stationary = BeaconHealthSettings(problems: Set(BeaconProblem.allCases), isStationary: true)

  /// Regions of single beacons, named `b1`, `b2` and so on.
  private static func regions(_ count: UInt16) -> [Region] {
    (1...count).map { number in
      .beacon(
        BeaconRegion(
          identifier: "b\(number)", constraint: BeaconConstraint(uuid: Scene.uuid, major: number, minor: 1), exitDelay: .seconds(7200)))
    }
  }

  private static func scene(_ file: FakeLearnedFile, _ health: BeaconHealthSettings = stationary, files: Scene.Files = .init()) -> Scene {
    Scene(files, regions(4), learned: file, health: health)
  }

  /// Hears the beacons every ten seconds, except for silent ones.
  private static func run(_ scene: Scene, from start: Double, to end: Double, without silent: Set<UInt16> = []) {
    var time = start
    while time < end {
      for major in UInt16(1)...4 where !silent.contains(major) { scene.source.hear(time + Double(major), major: major) }
      time += 10
    }
  }

  private static func kinds(_ scene: Scene) -> [Event] { scene.files.journal.events.filter { $0.kind?.isOfBeacon ?? false } }

  @Test func `a missing beacon is an event of the journal and the bus, and its return as well`() {
    let scene = Self.scene(FakeLearnedFile())
    scene.source.begin()
    #expect(scene.source.demand == .strength)
    Self.run(scene, from: 0, to: 3700)
    Self.run(scene, from: 3700, to: 3900, without: [2])
    #expect(Self.kinds(scene).map(\.kind) == [.beaconMissing])
    let event = Self.kinds(scene).first
    #expect(event?.region == nil && event?.placeName == "b2" && event?.beacon?.major == 2 && event?.reason.cause == .silence)
    #expect(event?.reason.longestGap == .seconds(20) && (event?.reason.lastSeenAge).map { $0 > 55 && $0 <= 60 } ?? false)
    #expect(scene.monitoring.beaconReports[1].problems?.first?.event == .beaconMissing)
    Self.run(scene, from: 3900, to: 3920)
    #expect(Self.kinds(scene).last?.kind == .beaconRecovered && Self.kinds(scene).last?.ended == .beaconMissing)
    #expect(scene.monitoring.beaconReports.allSatisfy { $0.problems == nil })
    #expect(scene.monitoring.eventCounts[.beaconMissing] == 1)
  }

  @Test func `learned values and a problem survive a restart, but not another place`() {
    let (file, files) = (FakeLearnedFile(), Scene.Files())
    let first = Self.scene(file, files: files)
    first.source.begin()
    Self.run(first, from: 0, to: 3700)
    Self.run(first, from: 3700, to: 3900, without: [2])
    first.monitoring.end()
    #expect(file.beacons.all.count == 4)
    let second = Self.scene(file, files: files)
    second.source.begin(at: 4000)
    Self.run(second, from: 4000, to: 4200, without: [2, 3])
    #expect(Self.kinds(second).map { $0.beacon?.major } == [2, 3])
    file.beacons.place = "elsewhere"
    let third = Self.scene(file)
    third.source.begin(at: 5000)
    Self.run(third, from: 5000, to: 5300, without: [4])
    #expect(Self.kinds(third).isEmpty && third.monitoring.beaconReports.allSatisfy { $0.isLearned == false })
  }

  @Test func `a file that can be read only later is not replaced meanwhile, and its values apply then`() {
    let file = FakeLearnedFile()
    let first = Self.scene(file)
    first.source.begin()
    Self.run(first, from: 0, to: 3700)
    first.monitoring.end()
    let learned = file.beacons.all
    #expect(learned.count == 4)
    file.isReadable = false
    let second = Self.scene(file)
    second.source.begin(at: 4000)
    Self.run(second, from: 4000, to: 4300, without: [2])
    #expect(Self.kinds(second).isEmpty && second.monitoring.beaconReports.allSatisfy { $0.isLearned == false })
    #expect(file.beacons.all == learned)
    file.isReadable = true
    Self.run(second, from: 4300, to: 4700, without: [2])
    #expect(Self.kinds(second).map { $0.beacon?.major } == [2])
    #expect(second.monitoring.beaconReports.allSatisfy { $0.isLearned == true })
  }

  @Test func `a stall, a lost and a paused source are not silence`() {
    let scene = Self.scene(FakeLearnedFile())
    scene.source.begin()
    Self.run(scene, from: 0, to: 3700)
    scene.source.stall(from: 3700, to: 4700)
    Self.run(scene, from: 4700, to: 4750)
    for (number, reception) in [Reception.lost, .paused].enumerated() {
      let start = 4750 + 1000 * Double(number)
      scene.source.change(.all(reception), .gone, at: start)
      scene.source.pass(to: start + 800)
      scene.source.change(.all(.hearing), .scanning, at: start + 800)
      Self.run(scene, from: start + 800, to: start + 1000)
    }
    #expect(Self.kinds(scene).isEmpty)
  }

  @Test func `without problems to report nothing is expected, and the source hears no more than before`() {
    let scene = Self.scene(FakeLearnedFile(), BeaconHealthSettings())
    scene.source.begin()
    #expect(scene.source.demand == .presence && scene.monitoring.beaconReports.isEmpty)
  }

  @Test func `telemetry of a beacon is in the status and in the report of a ranged beacon`() {
    let scene = Self.scene(FakeLearnedFile(), BeaconHealthSettings(problems: [.weak]))
    scene.source.begin()
    let beacon = BeaconIdentity(uuid: Scene.uuid, major: 1, minor: 1)
    for second in 1...40 {
      let time = Instant.at(Double(second))
      if second % 10 == 5 { scene.source.telemetry = [BeaconTelemetry(transmitter: 7, voltage: 1.9, temperature: 20.5, time: time)] }
      scene.source.hear([Sighting(beacon: beacon, measuredPower: -59, rssi: -60, transmitter: 7, time: time)], through: time)
    }
    #expect(Self.kinds(scene).map(\.kind) == [.beaconWeak])
    #expect(Self.kinds(scene).first?.battery == 1.9 && Self.kinds(scene).first?.temperature == 20.5)
    #expect(scene.monitoring.beaconReports.first?.battery == 1.9)
    #expect(scene.source.demand != .strength)
  }

  @Test func `a watch that reloads switch off and on keeps what it learned, until that is reset`() {
    let file = FakeLearnedFile()
    let scene = Self.scene(file)
    scene.source.begin()
    Self.run(scene, from: 0, to: 3700)
    let regions = Self.regions(4)
    scene.monitoring.reconfigure(MonitoringSettings(regions: regions, adapters: [], ranging: RangingSettings()))
    #expect(scene.source.demand != .strength && scene.monitoring.beaconReports.isEmpty)
    scene.monitoring.reconfigure(MonitoringSettings(regions: regions, adapters: [], ranging: RangingSettings(), health: Self.stationary))
    Self.run(scene, from: 3700, to: 3900, without: [1])
    #expect(Self.kinds(scene).map { $0.beacon?.major } == [1])
    #expect(scene.monitoring.resetLearning(venue: nil, adapter: nil) == 0)
    #expect(scene.monitoring.beaconReports.allSatisfy { $0.isLearned == false && $0.problems == nil } && file.beacons.all.isEmpty)
  }
}

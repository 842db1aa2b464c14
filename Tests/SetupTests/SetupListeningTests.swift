import Beacons
import ClientCommands
import Instants
import Ranging
import Setup
import Status
import TestSupport
import Testing

/// The seconds in which setup listens to the daemon, on a manual clock.
@Suite struct SetupListeningTests {
  private final class Scene {
    let scheduler = ManualScheduler()
    let listening: SetupListening
    var obstacle: HearingObstacle?
    private(set) var ends = 0

    init() {
      listening = SetupListening(scheduler)
      listening.onEnd = { [unowned self] in ends += 1 }
      listening.begin(for: .seconds(5)) { [unowned self] in $0(obstacle) }
    }

    func hear(_ minors: UInt16...) {
      var group = ScanReport.Group()
      group.uuid = BeaconUUID(high: 1, low: 2)
      group.beacons = minors.map { minor in
        var beacon = ScanReport.Beacon()
        (beacon.major, beacon.minor, beacon.rssi) = (1, minor, -60)
        return beacon
      }
      var report = ScanReport()
      report.uuids = [group]
      listening.take(report)
    }
  }

  @Test func `the beacons of the last report count after the time`() {
    let scene = Scene()
    scene.hear(1)
    scene.hear(1, 2)
    scene.scheduler.advance(by: .milliseconds(4999))
    #expect(scene.ends == 0 && !scene.listening.hasEnded)
    scene.scheduler.advance(by: .milliseconds(1))
    #expect(scene.ends == 1 && scene.listening.hasEnded && scene.listening.obstacle == nil)
    #expect(scene.listening.beacons.map(\.identity.minor) == [1, 2] && scene.listening.beacons[0].rssi == -60)
    scene.scheduler.advance(by: .seconds(60))
    #expect(scene.ends == 1)
  }

  @Test func `without beacons, the obstacle at the end counts`() {
    let scene = Scene()
    scene.obstacle = HearingObstacle(text: "starting", isExplained: false)
    scene.scheduler.advance(by: .seconds(4))
    scene.obstacle = HearingObstacle(text: "no adapter", isExplained: true)
    scene.scheduler.advance(by: .seconds(1))
    #expect(scene.listening.obstacle == "no adapter" && scene.ends == 1)
  }

  @Test func `with beacons, an obstacle does not count`() {
    let scene = Scene()
    scene.obstacle = HearingObstacle(text: "one of two adapters is off", isExplained: true)
    scene.hear(1)
    scene.scheduler.advance(by: .seconds(5))
    #expect(scene.listening.obstacle == nil && scene.listening.beacons.count == 1 && scene.ends == 1)
  }

  @Test func `beacons without an identity are left out, and adapters have their names`() {
    let scene = Scene()
    var group = ScanReport.Group()
    group.beacons = [ScanReport.Beacon()]
    var report = ScanReport()
    report.uuids = [group]
    scene.listening.take(report)
    var (status, adapter) = (MonitorStatus(), AdapterStatus())
    adapter.name = "hci0"
    status.adapters = [adapter]
    scene.listening.take(status)
    #expect(scene.listening.beacons.isEmpty && scene.listening.adapters.isEmpty)
    adapter.address = BluetoothAddress("00:1A:7D:DA:71:13")
    status.adapters = [adapter]
    scene.listening.take(status)
    #expect(scene.listening.adapters.map(\.name) == ["hci0"])
  }
}

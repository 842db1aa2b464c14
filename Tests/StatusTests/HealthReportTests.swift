import Beacons
import Instants
import Locations
import RadioHealth
import Records
import Status
import Testing

@Suite struct HealthReportTests {
  private var good: MonitorStatus {
    var status = MonitorStatus()
    status.source.state = .scanning
    status.journal.isDurable = true
    return status
  }

  private func report(_ change: (inout MonitorStatus) -> Void, clock: Bool? = true) -> HealthReport {
    var status = good
    change(&status)
    return HealthReport(status, isClockSynchronised: clock)
  }

  @Test func `a daemon without problems is ok`() {
    #expect(report { _ in }.line == "ok")
    #expect(report({ _ in }, clock: nil).line == "ok")
    #expect(report { $0.source.state = .idle }.line == "ok")
    #expect(report { $0.source.state = SourceState.nothing }.line == "ok")
  }

  @Test func `a source that cannot hear has failed, and its reason comes first`() {
    let report = report {
      ($0.source.state, $0.source.note) = (.gone, "plug in an adapter")
      $0.journal.note = "the disk is full"
    }
    #expect(report.line == "failed: source: plug in an adapter; journal: the disk is full")
  }

  @Test(arguments: [AdapterHealth.State.silent, .off, .blocked, .gone])
  func `an adapter that does not hear degrades`(state: AdapterHealth.State) {
    let report = report {
      var adapter = AdapterStatus()
      (adapter.name, adapter.state, adapter.note) = ("hci0", state, "run rfkill")
      $0.adapters = [adapter]
    }
    #expect(report.line == "degraded: adapter: hci0 is \(state.rawValue): run rfkill")
  }

  @Test func `each problem degrades with its reason`() {
    #expect(report({ _ in }, clock: false).line.hasPrefix("degraded: clock: "))
    #expect(report { $0.journal.note = "the disk is full" }.line == "degraded: journal: the disk is full")
    #expect(report { $0.locationServices.note = "it cannot be read" }.line == "degraded: consent: it cannot be read")
    let refused = MonitorStatus.RefusedReload(time: Instant(microseconds: 0), reason: "line 3")
    #expect(report { $0.refusedReload = refused }.line == "degraded: configuration: the last reload was refused: line 3")
    let leftOut = report {
      $0.configuration = .init(
        files: [], time: Instant(microseconds: 0), digest: "", needsRestart: false, note: nil, rolloutNote: "rollouts: is damaged")
    }
    #expect(leftOut.line == "degraded: configuration: a rollout is not in use: rollouts: is damaged")
    let health = LocationHealth(.gone, "start gpsd")
    let source = LocationSourceStatus(Location.Source("gpsd"), health, isOn: true, LocationCounts(), heading: nil)
    #expect(report { $0.locationSources = [source] }.line == "degraded: location: gpsd: start gpsd")
    var beacon = AdvertisedBeacon()
    (beacon.major, beacon.minor, beacon.state, beacon.note) = (1, 5, .waiting, "no adapter")
    #expect(report { $0.advertisements = [beacon] }.line == "degraded: advertising: beacon 1/5 is not advertised: no adapter")
  }

  @Test func `removing the only problem makes the health good again`() {
    var report = report { $0.journal.note = "the disk is full" }
    report.remove(.clock)
    #expect(report.state == .degraded)
    report.remove(.journal)
    #expect(report == HealthReport())
  }

  @Test func `a daemon that cannot be reached has failed`() {
    let report = HealthReport(unreachable: "beaconmond is not running")
    #expect(report.state == .failed && report.problems == [.init(.daemon, "beaconmond is not running")])
  }

  @Test func `the clock of the machine matters for a live source, and not for a played one`() {
    for (name, isBad) in [("radio", true), ("capture:walk.btsnoop", false), ("simulator:shop.toml", false), (nil, true)] {
      var status = MonitorStatus()
      status.source.name = name
      #expect((HealthReport(status, isMachineSynchronised: false).state == .degraded) == isBad, "\(name ?? "")")
      #expect(HealthReport(status, isMachineSynchronised: nil).state == .ok)
    }
  }

  @Test func `a report survives its record`() {
    let report = report { ($0.source.state, $0.journal.note) = (.gone, "the disk is full") }
    #expect(HealthReport(report.record) == report)
    let problems = #"[{"kind":"source","note":"no beacon can be received"},{"kind":"journal","note":"the disk is full"}]"#
    #expect(report.record.json == #"{"health":"failed","problems":\#(problems)}"#)
  }
}

import Diagnosis
import Instants
import RadioHealth
import Status
import Testing

@Suite struct DiagnosisTests {
  /// A machine on which everything works.
  static var healthy: MachineFacts {
    var status = MonitorStatus()
    status.version = "1.2.0"
    status.source = SourceStatus(name: "auto", choice: "hci", state: .scanning)
    var facts = MachineFacts()
    facts.kernel = .found("6.1.0-28-amd64")
    facts.radio = .found(RadioFacts(adapters: [RadioFacts.Adapter(name: "hci0", connection: "usb")]))
    facts.firmwareMessages = .found([])
    facts.bluetoothd = .found(BluetoothdFacts(isRunning: true, arguments: [], version: "5.66"))
    facts.listedAdapters = .found([ListedAdapter(name: "hci0", isDiscovering: true)])
    facts.scanningPrograms = .found([])
    facts.wireless = .found([])
    facts.clock = .found(ClockFacts(now: Instant(microseconds: 1_790_000_000_000_000), isSynchronised: true))
    facts.disk = .found(
      DiskFacts(folder: "/var/lib/beaconmon", space: DiskFacts.Space(freeOctets: 1 << 30, freeInodes: 10_000)))
    facts.user = .found(UserFacts(name: "alice", isInsider: true, isListed: true))
    facts.daemon = .found(DaemonFacts(.answering, status: status))
    facts.daemonCapabilities = .found(1 << 13)
    facts.config = .found(ConfigFacts(file: "/etc/beaconmon/beaconmon.toml", lines: ["valid, 1 region, 1 action"], actions: 1))
    facts.isNotifierRunning = .found(true)
    facts.hosts = [HostFacts(target: "mqtt broker.local:1883")]
    facts.version = "1.2.0"
    return facts
  }

  /// Changes a healthy machine, and returns its findings that are not ok.
  static func findings(_ change: (inout MachineFacts) -> Void) -> [Finding] {
    var facts = healthy
    change(&facts)
    return (facts.diagnosis.findings ?? []).filter { $0.verdict != .ok }
  }

  func expect(
    _ expected: [Finding], location: SourceLocation = #_sourceLocation, _ change: (inout MachineFacts) -> Void
  ) {
    #expect(Self.findings(change) == expected, sourceLocation: location)
  }

  func changeStatus(_ facts: inout MachineFacts, _ change: (inout MonitorStatus) -> Void) {
    var status = facts.daemon.value?.status ?? MonitorStatus()
    change(&status)
    facts.daemon = .found(DaemonFacts(.answering, status: status))
  }

  @Test func `a healthy machine has an ok for each check, in their order`() {
    let diagnosis = Self.healthy.diagnosis
    #expect(diagnosis.verdict == .ok)
    #expect(diagnosis.findings?.compactMap(\.check) == Finding.Check.allCases)
    #expect(Self.findings { _ in }.isEmpty)
  }

  @Test func `a configured offset that does not fit a venue is a warning`() {
    var receiver = VenueStatus.Receiver()
    receiver.note = "the rssi-offset of hci0 does not fit"
    var venue = VenueStatus()
    venue.receivers = [receiver, VenueStatus.Receiver()]
    expect([Finding(.config, .warning, "the rssi-offset of hci0 does not fit")]) { facts in
      changeStatus(&facts) { $0.venues = [venue] }
    }
  }

  @Test func `facts that cannot be read are findings, but not faults`() {
    let diagnosis = MachineFacts().diagnosis
    #expect(diagnosis.verdict == .ok)
    #expect(diagnosis.findings?.contains(Finding(.kernel, .unknown, "could not be checked: not read")) == true)
  }

  // MARK: - Daemon

  @Test func `a bus that cannot be reached is one fault`() {
    expect([
      Finding(.bus, .fault, "the bus does not respond", command: "sudo systemctl start dbus"),
      Finding(.scanners, .unknown, "hci0 scans, perhaps for beaconmond"),
    ]) {
      $0.daemon = .found(DaemonFacts(.noBus("the bus does not respond")))
    }
  }

  @Test func `a daemon that does not run is a fault, and root needs no sudo`() {
    expect([Finding(.daemon, .fault, "beaconmond does not run", command: "systemctl enable --now beaconmond")]) {
      $0.daemon = .found(DaemonFacts(.absent))
      $0.daemonCapabilities = .found(nil)
      $0.listedAdapters = .found([ListedAdapter(name: "hci0")])
      $0.user = .found(UserFacts(name: "root", isRoot: true))
    }
  }

  @Test func `the command that starts a daemon depends on its manager`() {
    for (manager, command) in [(MachineFacts.Manager.session, "systemctl --user start beaconmond"), (.none, nil)] {
      let found = Self.findings {
        $0.daemon = .found(DaemonFacts(.absent))
        $0.manager = manager
      }
      #expect(found.first { $0.check == .daemon } == Finding(.daemon, .fault, "beaconmond does not run", command: command))
    }
  }

  @Test func `a bus without the policy is a fault of the bus`() {
    let found = Self.findings { $0.daemon = .found(DaemonFacts(.absent, hasPolicy: false)) }
    #expect(found.contains { $0.check == .bus && $0.verdict == .fault && $0.command == "sudo apt-get install --reinstall beaconmon" })
  }

  @Test func `a user outside of the group is a warning with the command, and one before the next login with another`() {
    expect([
      Finding(
        .access, .warning, "user bob may not call beaconmond: only root and the group beaconmon may; after the command, log in again",
        command: "sudo usermod -aG beaconmon bob"),
      Finding(.scanners, .unknown, "hci0 scans, perhaps for beaconmond"),
    ]) {
      $0.daemon = .found(DaemonFacts(.refused))
      $0.user = .found(UserFacts(name: "bob"))
    }
    #expect(
      Self.findings {
        $0.daemon = .found(DaemonFacts(.refused))
        $0.user = .found(UserFacts(name: "bob", isListed: true))
      }.first?.command == "newgrp beaconmon")
  }

  @Test func `a daemon that hangs is a fault`() {
    expect([
      Finding(.daemon, .fault, "beaconmond does not answer: no reply", command: "sudo systemctl restart beaconmond"),
      Finding(.scanners, .unknown, "hci0 scans, perhaps for beaconmond"),
    ]) { $0.daemon = .found(DaemonFacts(.silent("no reply"))) }
  }

  @Test func `the daemon's own judgement is part of the diagnosis`() {
    expect([Finding(.reception, .warning, "hci0 is silent: it no longer receives")]) {
      changeStatus(&$0) {
        var adapter = AdapterStatus()
        (adapter.name, adapter.state, adapter.note) = ("hci0", .silent, "it no longer receives")
        $0.adapters = [adapter]
      }
    }
    expect([Finding(.disk, .warning, "events are kept in memory only")]) {
      changeStatus(&$0) { $0.journal.note = "events are kept in memory only" }
    }
    expect([
      Finding(.config, .warning, "the last reload was refused: a.toml:1: x", command: "sudo systemctl reload beaconmond")
    ]) { changeStatus(&$0) { $0.refusedReload = MonitorStatus.RefusedReload(time: Instant(microseconds: 0), reason: "a.toml:1: x") } }
  }

  @Test(arguments: [Double.nan, .infinity, 1e300]) func `a rate that is not a number of reports is left out`(rate: Double) {
    expect([]) {
      changeStatus(&$0) {
        var adapter = AdapterStatus()
        (adapter.name, adapter.state, adapter.reportsPerSecond) = ("hci0", .scanning, rate)
        $0.adapters = [adapter]
      }
    }
  }

  @Test func `packets without CAP_NET_RAW are a fault only for the source hci`() {
    let hci: (inout MachineFacts) -> Void = {
      $0.daemonCapabilities = .found(0)
      changeStatus(&$0) { $0.source.name = "hci" }
    }
    let found = Self.findings(hci)
    #expect(found.map(\.verdict) == [.fault])
    #expect(found.first?.text == "beaconmond has neither CAP_NET_RAW nor CAP_NET_ADMIN, but source = \"hci\" requires CAP_NET_RAW")
    #expect(found.first?.command?.contains("hci.conf") == true)
    expect([]) { $0.daemonCapabilities = .found(0) }
  }

  @Test func `a daemon that is older than the command was not restarted after an upgrade`() {
    expect([
      Finding(
        .version, .warning, "beaconmond 1.2.0 is older than beaconmon 1.10.0, because it was not restarted after an upgrade",
        command: "sudo systemctl restart beaconmond")
    ]) { $0.version = "1.10.0" }
    #expect(Self.findings { $0.version = "1.1" }.map(\.command) == ["type -a beaconmon"])
  }
}

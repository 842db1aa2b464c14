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

  private func changeStatus(_ facts: inout MachineFacts, _ change: (inout MonitorStatus) -> Void) {
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

  @Test func `facts that cannot be read are findings, and no fault`() {
    let diagnosis = MachineFacts().diagnosis
    #expect(diagnosis.verdict == .ok)
    #expect(diagnosis.findings?.contains(Finding(.kernel, .unknown, "could not be checked: not read")) == true)
  }

  // MARK: - Radio

  @Test func `an old kernel is a fault`() {
    expect([Finding(.kernel, .fault, "Linux 5.4.0 is too old; beaconmon requires 5.11")]) { $0.kernel = .found("5.4.0") }
    expect([]) { $0.kernel = .found("5.11") }
  }

  @Test func `a machine without an adapter has one fault, and the daemon's view of it is not repeated`() {
    expect([
      Finding(.adapter, .fault, "there is no Bluetooth adapter; plug one in, or find it with lsusb and dmesg"),
      Finding(.bluetoothd, .unknown, "bluetoothd 5.66 does not run, because there is no adapter"),
    ]) {
      $0.radio = .found(RadioFacts())
      $0.bluetoothd = .found(BluetoothdFacts(isRunning: false, version: "5.66"))
      $0.listedAdapters = .found(nil)
      changeStatus(&$0) { $0.source = SourceStatus(name: "auto", choice: "bluez", state: .gone, note: "there is no adapter") }
    }
  }

  @Test func `a kernel without Bluetooth names the modules`() {
    expect([
      Finding(
        .adapter, .fault, "the kernel has no Bluetooth, or its module is not loaded",
        command: "sudo modprobe bluetooth && sudo modprobe btusb")
    ]) { $0.radio = .found(RadioFacts(isSupported: false)) }
  }

  @Test func `a source without a radio needs no adapter`() {
    expect([]) {
      $0.radio = .found(RadioFacts(isSupported: false))
      $0.bluetoothd = .found(BluetoothdFacts(isRunning: false))
      $0.listedAdapters = .found(nil)
      changeStatus(&$0) { $0.source = SourceStatus(name: "capture:walk.btsnoop", state: .scanning) }
    }
  }

  @Test(arguments: [
    (RadioFacts.Adapter(name: "hci0", isSoftBlocked: true), "a program has blocked hci0", "sudo rfkill unblock bluetooth"),
    (RadioFacts.Adapter(name: "hci0", isHardBlocked: true), "a switch of this machine blocks hci0; move the switch, or press its key", nil),
  ])
  func `a blocked adapter is a fault, with the command for a block by a program`(
    adapter: RadioFacts.Adapter, text: String, command: String?
  ) {
    expect([Finding(.adapter, .fault, "hci0 is off, because it is blocked"), Finding(.rfkill, .fault, text, command: command)]) {
      $0.radio = .found(RadioFacts(adapters: [adapter]))
      $0.listedAdapters = .found([ListedAdapter(name: "hci0", isPowered: false)])
    }
  }

  @Test func `a machine without the program rfkill gets a command that needs none`() {
    let block = "/sys/class/rfkill/rfkill2"
    let findings = Self.findings {
      $0.radio = .found(RadioFacts(adapters: [RadioFacts.Adapter(name: "hci0", isSoftBlocked: true, block: block)]))
      $0.listedAdapters = .found([ListedAdapter(name: "hci0", isPowered: false)])
      $0.missingPrograms = ["rfkill"]
    }
    #expect(findings.last?.command == "sudo sh -c 'echo 0 >/sys/class/rfkill/rfkill2/soft'")
  }

  @Test func `an adapter that does not work beside one that does is a warning, and hides no other fault`() {
    let adapters = [RadioFacts.Adapter(name: "hci0"), RadioFacts.Adapter(name: "hci1", isSoftBlocked: true)]
    expect([
      Finding(.adapter, .warning, "hci1 is off, because it is blocked"),
      Finding(.rfkill, .warning, "a program has blocked hci1", command: "sudo rfkill unblock bluetooth"),
      Finding(.reception, .fault, "no report for 120 s"),
    ]) {
      $0.radio = .found(RadioFacts(adapters: adapters))
      $0.listedAdapters = .found([ListedAdapter(name: "hci0"), ListedAdapter(name: "hci1", isPowered: false)])
      changeStatus(&$0) { $0.source = SourceStatus(name: "auto", choice: "hci", state: .gone, note: "no report for 120 s") }
    }
    expect([Finding(.adapter, .warning, "hci1 is off", command: "sudo btmgmt --index 1 power on")]) {
      $0.radio = .found(RadioFacts(adapters: [adapters[0], RadioFacts.Adapter(name: "hci1")]))
      $0.listedAdapters = .found([ListedAdapter(name: "hci0"), ListedAdapter(name: "hci1", isPowered: false)])
    }
  }

  @Test func `an adapter that the config ignores needs nothing`() {
    expect([]) {
      $0.radio = .found(RadioFacts(adapters: [RadioFacts.Adapter(name: "hci0"), RadioFacts.Adapter(name: "hci1", isSoftBlocked: true)]))
      changeStatus(&$0) {
        var used = AdapterStatus()
        (used.name, used.state) = ("hci0", .scanning)
        $0.adapters = [used]
      }
    }
  }

  @Test func `an adapter that is off, or that bluetoothd does not list, is a fault`() {
    expect([Finding(.adapter, .fault, "hci0 (usb) is off", command: "bluetoothctl power on")]) {
      $0.listedAdapters = .found([ListedAdapter(name: "hci0", isPowered: false)])
    }
    expect([Finding(.adapter, .fault, "hci0 (usb) is not listed by bluetoothd", command: "sudo systemctl restart bluetooth")]) {
      $0.listedAdapters = .found([])
    }
  }

  @Test func `firmware that failed to load is a warning with the last line of the kernel`() {
    expect([
      Finding(
        .firmware, .warning,
        "the kernel could not load it: Bluetooth: hci0: RTL: firmware file rtl_bt/a.bin not found; after the command, plug the adapter in again, "
          + "or reboot", command: "sudo apt-get install firmware-realtek")
    ]) { $0.firmwareMessages = .found(["Bluetooth: hci0: RTL: firmware file rtl_bt/a.bin not found"]) }
  }

  @Test func `a stopped bluetoothd is a fault, unless the daemon receives packets without it`() {
    let stopped: (inout MachineFacts) -> Void = {
      $0.bluetoothd = .found(BluetoothdFacts(isRunning: false, version: "5.66"))
      $0.listedAdapters = .found(nil)
    }
    expect([], stopped)
    expect([Finding(.bluetoothd, .fault, "bluetoothd 5.66 does not run", command: "sudo systemctl enable --now bluetooth")]) {
      stopped(&$0)
      changeStatus(&$0) { $0.source.choice = "bluez" }
    }
    expect([Finding(.bluetoothd, .fault, "bluetoothd is not installed", command: "sudo apt-get install bluez")]) {
      stopped(&$0)
      $0.bluetoothd = .found(BluetoothdFacts(isRunning: false, isInstalled: false))
      changeStatus(&$0) { $0.source.choice = "bluez" }
    }
  }

  @Test func `bluetoothd without an advertisement monitor is a warning for a daemon that depends on its reports`() {
    let without: (inout MachineFacts) -> Void = {
      $0.listedAdapters = .found([ListedAdapter(name: "hci0", isDiscovering: true, hasMonitors: false)])
    }
    expect([], without)
    let found = Self.findings {
      without(&$0)
      changeStatus(&$0) { $0.source.choice = "bluez" }
    }
    #expect(found.map(\.verdict) == [.warning])
    #expect(found.first?.command?.contains("bluetooth-experimental.conf") == true)
    let new = Self.findings {
      without(&$0)
      $0.bluetoothd = .found(BluetoothdFacts(isRunning: true, arguments: [], version: "5.79"))
      changeStatus(&$0) { $0.source.choice = "bluez" }
    }
    #expect(new.map(\.command) == [nil])
  }

  @Test func `a scan for another program is a warning that names programs that usually scan`() {
    expect([
      Finding(
        .scanners, .warning,
        "another program lets hci0 scan: bluetoothctl; it takes power and radio time, so end it if it is not needed")
    ]) {
      $0.scanningPrograms = .found(["bluetoothctl"])
      changeStatus(&$0) { $0.source.state = .idle }
    }
  }

  @Test func `Wi-Fi at 2.4 GHz on the chip of an adapter is a warning`() {
    expect([
      Finding(
        .wifi, .warning,
        "wlan0 uses 2437 MHz on the chip of hci0, so beacons are lost while it sends; connect to a network at 5 GHz")
    ]) { $0.wireless = .found([WirelessFacts(interface: "wlan0", frequency: 2437, adapter: "hci0")]) }
    expect([]) {
      $0.wireless = .found([
        WirelessFacts(interface: "wlan0", frequency: 5180, adapter: "hci0"),
        WirelessFacts(interface: "wlan1", frequency: 2437, adapter: nil),
      ])
    }
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

  @Test(arguments: [Double.nan, .infinity, 1e300]) func `a rate that is no number of reports is left out`(rate: Double) {
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

import Diagnosis
import Instants
import RadioHealth
import Status
import Testing

/// The kernel, the adapters and bluetoothd.
extension DiagnosisTests {
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
}

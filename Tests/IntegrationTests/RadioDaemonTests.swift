import Foundation
import TestSupport
import Testing

/// The daemon with adapters, as other programs see it. A Python program stands for bluetoothd; the radio lab tests packets.
@Suite struct RadioDaemonTests {
  static let config = """
    [[adapter]]
    address = "00:1A:7D:DA:71:13"
    rssi-offset = 3

    [[region]]
    identifier = "hall"
    uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"
    within = 5.0
    hold = "0s"
    """
  /// The path of the adapter below the root object.
  static let dongle = "/adapter/00_1A_7D_DA_71_13"
  private static let interface = "\(BusClient.busName).Adapter"
  private static let beacon = "0215e2c56db5dffb48d2b060d0f5a71096e000010007c5"

  private func startBlueZ(_ stage: Stage, _ commands: String...) throws -> RunningProgram {
    let bluetoothd = try RunningProgram(Programs.python, [Programs.repository("Tests/TestSupport/Peers/fake_bluez.py"), stage.bus.address])
    for command in commands + ["own"] { try tell(bluetoothd, command) }
    return bluetoothd
  }

  private func tell(_ bluetoothd: RunningProgram, _ command: String) throws {
    try bluetoothd.input.write(contentsOf: Data((command + "\n").utf8))
    _ = try bluetoothd.output.next("\"\(command)\" done") { $0 == "done" }
  }

  @Test func `the source auto states its choice with the reason, and the obstacle to scanning`() throws {
    let stage = try Stage()
    let daemon = try stage.radioDaemon(config: Self.config)
    let listener = try stage.listener()
    try listener.waitForDaemon()
    #expect(try listener.property("Source", "Manager") == "auto")
    #expect(try listener.property("SourceChoice", "Manager") == "bluez")
    #expect(try listener.property("SourceReason", "Manager")?.text?.contains("systemctl restart beaconmond") == true)
    try wait(for: "the note") {
      try listener.property("SourceNote", "Manager")?.text == AdvertiseCommandTests.adviceWithoutBluetoothd
    }
    let status = try RunningProgram.result(Programs.commandLine, ["status", "--bus", stage.bus.address])
    #expect(status.contains("\nsource     auto: bluez, unavailable\nwhy        "))
    #expect(status.contains("\nadapter    00:1A:7D:DA:71:13, gone since "))
    #expect(status.contains(", RSSI +3.0 dB\n"))
    daemon.signal(SIGTERM)
  }

  @Test func `a daemon that was frozen for longer than the exit delay reports no exit`() throws {
    let stage = try Stage()
    let bluetoothd = try startBlueZ(stage, "add hci0 00:1A:7D:DA:71:13 nomonitor")
    let listener = try stage.listener()
    let config = Self.config.replacingOccurrences(of: "within = 5.0\nhold = \"0s\"", with: "exit-delay = \"2s\"")
    let daemon = try stage.radioDaemon(config: config)
    let path = BusClient.root + Self.dongle
    _ = try listener.next("scanning") { $0.path == path && $0.changed["State"] == "scanning" }
    try tell(bluetoothd, "device hci0 C0_00_00_00_00_01 -62 \(Self.beacon)")
    _ = try listener.next("an enter") { $0.name == "RegionEvent" && $0.details?["event"] == "enter" }
    /// Reports the beacon ten times a second.
    func report(seconds: Int) throws {
      for number in 0..<10 * seconds {
        try tell(bluetoothd, "report hci0 C0_00_00_00_00_01 \(-60 - number % 3) \(Self.beacon)")
        // The interval of the beacon.
        usleep(100_000)
      }
    }
    daemon.signal(SIGSTOP)
    // Twice the exit delay.
    try report(seconds: 4)
    daemon.signal(SIGCONT)
    try report(seconds: 2)
    #expect(try CommandLine(["events", "--json", "--bus", stage.bus.address]).output.count == 1)
    // Silence is still an exit.
    _ = try listener.next("an exit") { $0.name == "RegionEvent" && $0.details?["event"] == "exit" }
    daemon.signal(SIGTERM)
  }

  @Test func `the state of an adapter is in its properties, and its sightings are calibrated`() throws {
    let stage = try Stage()
    let bluetoothd = try startBlueZ(stage, "add hci0 00:1A:7D:DA:71:13")
    let listener = try stage.listener()
    let daemon = try stage.radioDaemon(config: Self.config)
    let path = BusClient.root + Self.dongle
    _ = try listener.next("scanning") { $0.path == path && $0.changed["State"] == "scanning" }
    try tell(bluetoothd, "device hci0 C0_00_00_00_00_01 -62 \(Self.beacon)")
    // A distance requires three sightings.
    for _ in 0..<2 { try tell(bluetoothd, "report hci0 C0_00_00_00_00_01 -62 \(Self.beacon)") }
    let event = try listener.next("an enter") { $0.name == "RegionEvent" && $0.path == BusClient.root }
    #expect(event.details?["rssi"] == -59)
    // 1 m by path loss alone, with the prior and the weight of little more than one sample.
    let distance = try #require(event.details?["distance"]?.number)
    #expect((2.0...2.1).contains(distance))
    #expect(event.details?["reason"]?["adapter"] == "00:1A:7D:DA:71:13")
    let properties = ["Address", "Name", "State", "RssiOffset", "Note"].map { name in
      Result { try listener.property(name, "Adapter", at: path) }
    }
    #expect(try properties.map { try $0.get() } == ["00:1A:7D:DA:71:13", "hci0", "scanning", 3, nil])
    let started = try #require(try listener.property("Since", "Adapter", at: path)?.number)
    #expect(try listener.property("LastReport", "Adapter", at: path)?.number ?? 0 >= started)

    try tell(bluetoothd, "remove hci0")
    // bluetoothd switches the adapter off before it removes it.
    let lost = try listener.next("the region") { $0.name == "RegionEvent" && $0.path == BusClient.root }
    #expect(lost.details?["state"] == "unknown")
    let gone = try listener.next("gone") { $0.path == path && $0.changed["State"] == "gone" }
    #expect(gone.arguments.first == .text(Self.interface))
    #expect(gone.changed["Note"] == "it is not plugged in")
    #expect(gone.changed["Since"]?.number ?? 0 > started)
    #expect(gone.arguments.last == ["Name"])
    try tell(bluetoothd, "add hci3 00:1A:7D:DA:71:13")
    _ = try listener.next("scanning again") { $0.path == path && $0.changed["State"] == "scanning" }
    #expect(try listener.property("Name", "Adapter", at: path) == "hci3")
    daemon.signal(SIGTERM)
  }

  @Test func `a reloaded config changes offsets and adapters at once`() throws {
    let stage = try Stage()
    let bluetoothd = try startBlueZ(stage, "add hci0 00:1A:7D:DA:71:13", "add hci1 B0:EC:AC:00:00:00")
    let listener = try stage.listener()
    let daemon = try stage.radioDaemon(config: Self.config)
    let path = BusClient.root + Self.dongle
    _ = try listener.next("scanning") { $0.path == path && $0.changed["State"] == "scanning" }
    _ = try stage.file(
      "radio.toml",
      Self.config.replacingOccurrences(of: "= 3", with: "= -4") + "\n[[adapter]]\naddress = \"B0:EC:AC:00:00:00\"\nuse = false\n")
    daemon.signal(SIGHUP)
    _ = try bluetoothd.output.next("the other's end") { $0 == "StopDiscovery hci1" }
    try wait(for: "the offset") { try listener.property("RssiOffset", "Adapter", at: path) == -4 }
    let objects = try listener.call("org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
    guard case .values(let values) = objects else { throw TimeoutError("\(objects)") }
    #expect(values.first?[path] != nil)
    #expect(values.first?["\(BusClient.root)/adapter/B0_EC_AC_00_00_00"] == nil)
    daemon.signal(SIGTERM)
  }
}

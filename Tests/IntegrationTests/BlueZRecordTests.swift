import Foundation
import TestSupport
import Testing

/// A daemon that scans through a fake bluetoothd, and recordings of it.
@Suite struct BlueZRecordTests {
  private static let uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"
  private static let beacon = "0215e2c56db5dffb48d2b060d0f5a71096e000010007c5"
  private static let phone = "10050b1c6f0e12"

  private let stage: Stage
  private let bluetoothd: RunningProgram
  private let daemon: RunningProgram
  private let client: BusClient
  private let clocks: TestClocks
  private let config: String

  init() throws {
    stage = try Stage()
    config = try stage.file(
      "door.toml", "[[region]]\nidentifier = \"door\"\nuuid = \"\(Self.uuid)\"\nexit-delay = \"5s\"\n")
    clocks = try TestClocks()
    bluetoothd = try RunningProgram(
      Programs.python, [Programs.repository("Tests/TestSupport/Peers/fake_bluez.py"), stage.bus.address])
    daemon = try RunningProgram(
      Programs.daemon, ["--bus", stage.bus.address, "--config", config, "--source", "bluez"],
      environment: clocks.environment.merging(["DBUS_SYSTEM_BUS_ADDRESS": stage.bus.address, "STATE_DIRECTORY": stage.folder.path]) { $1 })
    client = try BusClient(stage.bus, matching: "type='signal'")
    try command("add hci0 B0:EC:AC:00:00:00")
    try command("own")
    try client.waitForDaemon()
    try wait(for: "the scan") { try client.property("SourceState", "Manager") == "scanning" }
  }

  private func command(_ text: String) throws {
    try bluetoothd.input.write(contentsOf: Data((text + "\n").utf8))
    _ = try bluetoothd.output.next("the obedience of bluetoothd") { $0 == "done" }
  }

  private func octets(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

  private func beaconsHeard() throws -> Double { try client.property("Statistics", "Manager")?["iBeacons"]?.number ?? 0 }

  /// Records while a phone passes, and while a beacon appears and disappears.
  private func record(_ more: String...) throws -> (file: String, events: [String]) {
    let monitor = try RunningProgram(Programs.commandLine, ["monitor", "--json", "--bus", stage.bus.address])
    try client.waitForSubscriber(to: "RegionEvent")
    let file = stage.folder.file("visit.btsnoop")
    let record = try RunningProgram(Programs.commandLine, ["record", file, "--bus", stage.bus.address] + more)
    // Before the discovery, bluetoothd only signals advertisements that the monitor matches.
    _ = try bluetoothd.output.next("the discovery") { $0.hasPrefix("StartDiscovery") }
    try wait(for: "the beginning") { try FileManager.default.fileExists(atPath: file) && !octets(file).isEmpty }
    let before = try beaconsHeard()
    try command("device hci0 7A_00_00_00_00_02 -70 \(Self.phone)")
    try command("device hci0 C0_00_00_00_00_01 -60 \(Self.beacon)")
    for level in [-62, -58, -61] { try command("report hci0 C0_00_00_00_00_01 \(level) \(Self.beacon)") }
    try command("rssi hci0 C0_00_00_00_00_01 -70")
    try wait(for: "the five of the beacon to be heard") { try beaconsHeard() == before + 5 }
    // In steps of less than a second, from which a deadline counts as missed because the daemon did not run.
    for _ in 0..<12 {
      clocks.pass(seconds: 0.5)
      // The first ping may be answered before due timers have fired.
      for _ in 0..<2 { try client.ping() }
    }
    _ = try monitor.output.next("the exit") { $0.contains("\"event\":\"exit\"") }
    record.signal(SIGINT)
    #expect(try record.exitStatus() == 0)
    monitor.signal(SIGINT)
    #expect(try monitor.exitStatus() == 0)
    return (file, monitor.output.lines)
  }

  @Test func `a replay of a recording finds the same events, and the adapter by its address`() throws {
    let (file, live) = try record()
    let replayed = try CommandLine(["replay", file, "--config", config, "--json"]).output
    #expect(try crossings(live) == crossings(replayed))
    #expect(replayed.contains { $0.contains("\"adapter\":\"B0:EC:AC:00:00:00\"") })
    #expect(try crossings(replayed).count == 2)
    let text = String(decoding: try octets(file), as: UTF8.self)
    #expect(text.contains("it contains only beacons, with pseudonymous addresses"))
    #expect(text.contains("its packets are reconstructed from the reports of the source"))
    daemon.signal(SIGTERM)
  }

  @Test func `a recording contains phones and addresses only with --all`() throws {
    let phone: [UInt8] = [0x0A, 0xFF, 0x4C, 0x00, 0x10, 0x05]
    let address: [UInt8] = [0x01, 0x00, 0x00, 0x00, 0x00, 0xC0]
    let some = try octets(record().file)
    #expect(!some.holds(phone) && !some.holds(address) && some.holds([0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15]))
    try FileManager.default.removeItem(atPath: stage.folder.file("visit.btsnoop"))
    try command("forget hci0 7A_00_00_00_00_02")
    try command("forget hci0 C0_00_00_00_00_01")
    let all = try octets(record("--all").file)
    #expect(all.holds(phone) && all.holds(address))
    daemon.signal(SIGTERM)
  }

  @Test func `a recording requests every report from the radio only while it lasts`() throws {
    #expect(!bluetoothd.output.lines.contains { $0.hasPrefix("StartDiscovery") })
    let file = stage.folder.file("all.btsnoop")
    let record = try RunningProgram(Programs.commandLine, ["record", file, "--bus", stage.bus.address])
    _ = try bluetoothd.output.next("the discovery") { $0.hasPrefix("StartDiscovery") }
    record.signal(SIGINT)
    #expect(try record.exitStatus() == 0)
    _ = try bluetoothd.output.next("the end of the discovery") { $0.hasPrefix("StopDiscovery") }
    daemon.signal(SIGTERM)
  }

  /// Returns enters and exits without the fields that only live ones have, their times and their numbers.
  ///
  /// The wall clock gives the events new times.
  private func crossings(_ lines: [String]) throws -> [JSON] {
    try lines.map { try JSON(parsing: $0) }.filter { $0["event"] == "enter" || $0["event"] == "exit" }.map { event in
      var fields = event.object ?? [:]
      var reason = fields["reason"]?.object ?? [:]
      fields["time"] = nil
      for key in ["sequence", "journal", "durable", "clockSynchronised"] { fields[key] = nil }
      reason["lastSeen"] = nil
      fields["reason"] = .object(reason)
      return .object(fields)
    }
  }
}

extension Array<UInt8> {
  fileprivate func holds(_ part: [UInt8]) -> Bool {
    indices.dropLast(part.count - 1).contains { self[$0] == part[0] && Array(self[$0..<$0 + part.count]) == part }
  }
}

import Foundation
import TestSupport
import Testing

/// `beaconmon advertise`, and the daemon's [[advertise]], without a radio. The radio lab tests them with one.
@Suite struct AdvertiseCommandTests {
  private static let beacon = ["advertise", CaptureOctets.uuid, "1", "5"]

  /// The advice for the machine that runs the tests: bluetoothd cannot be started without an adapter.
  static var adviceWithoutBluetoothd: String {
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/sys/class/bluetooth")) ?? []
    return entries.contains { $0.hasPrefix("hci") }
      ? "bluetoothd is not running; start it with \"systemctl start bluetooth\"" : "there is no Bluetooth adapter; plug one in"
  }

  private func run(_ stage: Stage, _ more: String...) throws -> (status: Int32, errors: [String]) {
    let program = try RunningProgram(
      Programs.commandLine, Self.beacon + more, environment: ["DBUS_SYSTEM_BUS_ADDRESS": stage.bus.address])
    return (try program.exitStatus(), try program.log.all())
  }

  @Test func `advertise without bluetoothd prints the reason and ends`() throws {
    let run = try run(Stage())
    #expect(run.status == 69)
    #expect(run.errors == ["beaconmon: \(Self.adviceWithoutBluetoothd)"])
  }

  @Test func `advertise without a bus prints the reason and ends`() throws {
    let stage = try Stage()
    stage.bus.kill()
    let run = try run(stage)
    #expect(run.status == 69)
    #expect(run.errors.count == 1 && run.errors[0].contains("start the system bus, which BlueZ requires"))
  }

  @Test(arguments: [
    (["--measured-power", "5"], "--measured-power: 5 dBm is not between -100 and -20"),
    (["--measured-power", "-101"], "--measured-power: -101 dBm is not between -100 and -20"),
    (["--transmit-power", "21"], "--transmit-power: 21 dBm is not between -127 and 20"),
    (["--interval", "20ms"], "--interval: 20ms is not between 100ms and 10s"),
    (["--duration", "0s"], "--duration: must be greater than zero"),
  ])
  func `the error for an invalid value names the value`(arguments: [String], message: String) throws {
    let run = try CommandLine(Self.beacon + arguments)
    #expect(run.status == 64)
    #expect(run.errors == ["beaconmon: \(message); see --help"])
  }

  @Test func `the daemon lists its transmissions, and a reload changes them`() throws {
    let stage = try Stage()
    let config = try stage.file("config.toml", "")
    let client = try BusClient(stage.bus, matching: "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged'")
    let daemon = try stage.daemon(
      config: config, source: Stage.walk, speed: "1", environment: ["DBUS_SYSTEM_BUS_ADDRESS": stage.bus.address])
    try client.waitForDaemon()
    #expect(try client.property("Advertisements", "Manager") == [])
    _ = try stage.file("config.toml", "[[advertise]]\nuuid = \"\(CaptureOctets.uuid)\"\nmajor = 1\nminor = 5\n")
    daemon.signal(SIGHUP)
    try wait(for: "the reason for waiting") {
      let beacon = try client.property("Advertisements", "Manager")?.list?.first
      return beacon?["minor"] == 5 && beacon?["state"]?.text == "waiting" && beacon?["note"]?.text == Self.adviceWithoutBluetoothd
    }
    let status = try CommandLine(["status", "--bus", stage.bus.address])
    #expect(
      status.output.contains {
        $0.hasPrefix("advertises \(CaptureOctets.uuid)/1/5, -59 dBm at 1 m, waiting, since ") && $0.contains(Self.adviceWithoutBluetoothd)
      })
    _ = try stage.file("config.toml", "")
    daemon.signal(SIGHUP)
    try wait(for: "the end of the transmission") { try client.property("Advertisements", "Manager") == [] }
    daemon.signal(SIGTERM)
  }
}

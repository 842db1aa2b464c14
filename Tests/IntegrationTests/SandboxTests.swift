import Foundation
import TestSupport
import Testing

/// Location sources in the shipped unit, which gives them neither a network nor devices.
@Suite struct SandboxTests {
  @Test func `without a network and devices, each source states what the service needs`() throws {
    let stage = try Stage()
    let client = try stage.listener()
    let config = try stage.file(
      "config.toml", "[location.gpsd]\naddress = \"beaconmon.invalid:2947\"\n[location.nmea]\ndevice = \"/dev/ttyThereIsNone\"\n")
    let daemon = try RunningProgram(
      "/bin/sh",
      [
        "-c", "SYSTEMD_EXEC_PID=$$ exec \"$@\"", "sh", Programs.python, Programs.peer("without_network.py"), Programs.daemon,
        "--bus", stage.bus.address, "--config", config, "--source", "none",
      ])
    try client.waitForDaemon()
    _ = try client.updateLocation(on: try client.openSession())
    let expected = [
      "gpsd at beaconmon.invalid:2947: the service has no access to the network; install the drop-in /usr/share/beaconmon/location.conf",
      "/dev/ttyThereIsNone does not exist; plug in the receiver, and install the drop-in /usr/share/beaconmon/location.conf",
    ]
    try wait(for: "both reasons") {
      let status = try CommandLine(["status", "--bus", stage.bus.address]).output.map { $0.trimmingCharacters(in: .whitespaces) }
      return expected.allSatisfy(status.contains)
    }
    daemon.signal(SIGTERM)
    #expect(try daemon.exitStatus() == 0)
  }
}

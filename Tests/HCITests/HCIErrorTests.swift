import Glibc
import Testing

@testable import HCI

@Suite struct HCIErrorTests {
  @Test(
    arguments: [
      (
        HCIError.missing(.netRaw, place: "hci0", purpose: "hearing packets"),
        "hci0: hearing packets needs CAP_NET_RAW; copy PROGRAM and run \"sudo setcap cap_net_raw+ep\" on the copy; "
          + "the service has hci.conf for that"
      ),
      (
        HCIError.missing(.netAdmin, place: "hci1", purpose: "switching the adapter on"),
        "hci1: switching the adapter on needs CAP_NET_ADMIN; copy PROGRAM and run \"sudo setcap cap_net_raw,cap_net_admin+ep\" on the copy; "
          + "the service has hci.conf for that"
      ),
    ])
  func `the error for a missing capability names a way to grant it to a copy of this program`(error: HCIError, expected: String) throws {
    let program = try #require(CommandLine.arguments.first)
    #expect(error.description == expected.replacing("PROGRAM", with: program))
  }

  @Test(
    arguments: [
      (
        Capability.netRaw,
        "run \"install -Dm 644 -t /etc/systemd/system/beaconmond.service.d /usr/share/beaconmon/hci.conf\", \"systemctl daemon-reload\" and "
          + "\"systemctl restart beaconmond\""
      ),
      (
        .netAdmin,
        "uncomment the lines for CAP_NET_ADMIN in /etc/systemd/system/beaconmond.service.d/hci.conf, then run \"systemctl daemon-reload\" and "
          + "\"systemctl restart beaconmond\""
      ),
    ])
  func `the error of a service names only its drop-in, because file capabilities would keep it from starting`(
    capability: Capability, expected: String
  ) {
    #expect(capability.advice(isService: true) == expected)
  }

  @Test func `the error for a refused command names the command and the status`() {
    #expect(
      HCIError.command("LE Set Scan Enable", adapter: "hci0", status: 0x0C).description
        == "hci0: the controller rejected LE Set Scan Enable with status 0x0C; unplug the adapter and plug it in again")
  }

  @Test(.enabled(if: socket(AF_BLUETOOTH, CInt(SOCK_RAW.rawValue), 1) < 0 && errno == EAFNOSUPPORT, "the kernel has Bluetooth"))
  func `a kernel without Bluetooth is distinguished from a missing adapter`() {
    #expect(throws: HCIError.noBluetooth) { try HCIAdapter.all() }
  }
}

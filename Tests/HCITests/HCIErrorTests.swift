import Glibc
import Testing

@testable import HCI

@Suite struct HCIErrorTests {
  @Test(
    arguments: [
      (
        HCIError.missing(.netRaw, place: "hci0", purpose: "hearing advertisements"),
        "hci0: hearing advertisements needs CAP_NET_RAW; run \"setcap cap_net_raw+ep PROGRAM\", or for the service run"
          + " \"systemctl edit beaconmond\" and set AmbientCapabilities=CAP_NET_RAW and CapabilityBoundingSet=CAP_NET_RAW"
      ),
      (
        HCIError.missing(.netAdmin, place: "hci1", purpose: "switching the adapter on"),
        "hci1: switching the adapter on needs CAP_NET_ADMIN; run \"setcap cap_net_raw,cap_net_admin+ep PROGRAM\", or for the service run"
          + " \"systemctl edit beaconmond\" and set AmbientCapabilities=CAP_NET_RAW CAP_NET_ADMIN and"
          + " CapabilityBoundingSet=CAP_NET_RAW CAP_NET_ADMIN"
      ),
    ])
  func `a missing capability is named with the commands that grant it to this program`(error: HCIError, expected: String) throws {
    var path = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = path.withUnsafeMutableBytes { $0.baseAddress.map { readlink("/proc/self/exe", $0, Int(PATH_MAX)) } ?? -1 }
    let program = String(decoding: path.prefix(max(0, count)), as: UTF8.self)
    try #require(!program.isEmpty)
    let pieces = expected.split(separator: "PROGRAM")
    #expect(error.description == pieces.joined(separator: program))
  }

  @Test func `a refused command has its name and status`() {
    #expect(
      HCIError.command("LE Set Scan Enable", adapter: "hci0", status: 0x0C).description
        == "hci0: the controller refused LE Set Scan Enable with status 0x0C; unplug the adapter and plug it in again")
  }

  @Test(.enabled(if: socket(AF_BLUETOOTH, CInt(SOCK_RAW.rawValue), 1) < 0 && errno == EAFNOSUPPORT, "the kernel has Bluetooth"))
  func `a kernel without Bluetooth is told from an adapter that is not there`() {
    #expect(throws: HCIError.noBluetooth) { try HCIAdapter.all() }
  }
}

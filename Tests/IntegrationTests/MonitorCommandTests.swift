import Foundation
import TestSupport
import Testing

/// `beaconmon monitor` and `beaconmon status` beside a running daemon.
@Suite struct MonitorCommandTests {
  @Test func `status prints the source and the state of each region`() throws {
    let stage = try Stage()
    let listener = try stage.listener()
    let daemon = try stage.daemon(config: Stage.walkConfig, source: Stage.walk)
    _ = try listener.next("the end of the walk") { $0.saysEnded }
    let status = try CommandLine(["status", "--bus", stage.bus.address])
    #expect(status.status == 0)
    #expect(status.output.contains("source     capture:\(Stage.walk), ended"))
    #expect(status.output.contains("heard      1949 advertisements, 1949 iBeacons, 0 malformed"))
    let json = try JSON(parsing: CommandLine(["status", "--json", "--bus", stage.bus.address]).output[0])
    #expect(json["sourceState"]?.text == "paused")
    #expect(json["statistics"]?["iBeacons"]?.number == 1949)
    let regions = try #require(json["regions"]?.list)
    #expect(!regions.isEmpty && regions.allSatisfy { $0["state"]?.text == "outside" })
    daemon.signal(SIGTERM)
  }

  @Test func `status explains why a region cannot be entered`() throws {
    let stage = try Stage()
    let config = try stage.file(
      "near.toml", "[[region]]\nidentifier = \"near\"\nuuid = \"\(ReplayTests.walkUUID)\"\nwithin = 3.0\n")
    // Every beacon of the walk with a measured power of +3 dBm, as some makers send a battery level.
    var octets = Array(try Data(contentsOf: URL(fileURLWithPath: Stage.walk)))
    let prefix: [UInt8] = [0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15]
    for start in octets.indices.dropLast(27) where Array(octets[start..<start + 6]) == prefix { octets[start + 26] = 3 }
    let capture = try stage.file("battery.btsnoop", octets)
    let listener = try stage.listener()
    let daemon = try stage.daemon(config: config, source: capture)
    _ = try listener.next("the end of the walk") { $0.saysEnded }
    #expect(!listener.signals.contains { $0.name == "RegionEvent" && $0.arguments[1].text == "enter" })
    let status = try CommandLine(["status", "--bus", stage.bus.address])
    #expect(
      status.output.contains {
        $0.hasPrefix("  no distance: beacon 1/")
          && $0.hasSuffix("advertises a measured power of 3 dBm, which is impossible at 1 m; correct it in the beacon")
      })
    daemon.signal(SIGTERM)
  }
}

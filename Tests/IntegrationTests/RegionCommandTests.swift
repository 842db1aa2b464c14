import Foundation
import TestSupport
import Testing

/// Changes of regions on the command line; `CircleCommandTests` has those of circles.
@Suite struct RegionCommandTests {
  @Test func `regions are added, renamed and removed on the command line`() throws {
    let folder = try TemporaryDirectory()
    let file = folder.file("beaconmon.toml")
    try "# mine\nsource = \"hci\"\n".write(toFile: file, atomically: true, encoding: .utf8)
    let uuid = "8ec76ea3-6668-48da-9866-75be8bc86f4d"
    let add = try CommandLine(["region", "add", "beacon", "door", uuid, "1", "5", "--within", "3", "--exit-delay", "30s", "--config", file])
    #expect(add.output == ["door: added to \(file); `systemctl reload beaconmond` applies it"] && add.status == 0)
    let before = "# mine\nsource = \"hci\"\n"
    #expect(
      try String(contentsOfFile: file, encoding: .utf8)
        == before + "\n[[region]]\nidentifier = \"door\"\nuuid = \"\(uuid)\"\nmajor = 1\nminor = 5\nexit-delay = \"30s\"\nwithin = 3.0\n")
    let rename = try CommandLine(["region", "rename", "door", "entrance", "--config", file])
    #expect(rename.output == ["door: renamed to entrance in \(file); `systemctl reload beaconmond` applies it"])
    let unknown = try CommandLine(["region", "remove", "door", "--config", file])
    #expect(
      unknown.status == 78 && unknown.errors == ["beaconmon: \(file): there is no region \"door\"; \"beaconmon status\" lists the regions"])
    let remove = try CommandLine(["region", "remove", "entrance", "--config", file])
    #expect(remove.output == ["entrance: removed from \(file); `systemctl reload beaconmond` applies it"])
    #expect(try String(contentsOfFile: file, encoding: .utf8) == before)
    let wrong = try CommandLine(["region", "add", "beacon", "door", uuid, "--within", "0", "--config", file])
    #expect(wrong.status == 64 && wrong.errors == ["beaconmon: within: 0 is not between 0.1 and 100"])
    #expect(try CommandLine(["region", "rename", "door", "--config", file]).status == 64)
  }
}

import Foundation
import TestSupport
import Testing

/// `beaconmon-venue`: a simulated venue and a bus for somebody else's tests.
@Suite struct VenueTests {
  private func venue(_ arguments: String...) throws -> RunningProgram {
    let folder = URL(fileURLWithPath: Programs.commandLine).deletingLastPathComponent().path
    return try RunningProgram(
      Programs.repository("Sources/Apps/beaconmon-venue/beaconmon-venue"), arguments, environment: ["PATH": "\(folder):/usr/bin:/bin"])
  }

  private static let museum = Programs.repository("Docs/examples/scenarios/museum.toml")

  @Test func `the command hears the venue, its status is the venue's, and nothing is left`() throws {
    let run = try venue(
      Self.museum, "--speed", "100", "--", "sh", "-c",
      "until beaconmon status --json | grep -q '\"state\":\"inside\"'; do sleep 0.1; done; echo $DBUS_SYSTEM_BUS_ADDRESS; exit 3")
    let address = try run.output.next("the address")
    #expect(address.hasPrefix("unix:path="))
    #expect(try run.exitStatus() == 3)
    let folder = URL(fileURLWithPath: String(address.dropFirst("unix:path=".count))).deletingLastPathComponent().path
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  @Test func `without a command it says where the bus is, until it is told to end`() throws {
    let run = try venue(Self.museum)
    let line = try run.output.next("the address")
    #expect(line.hasPrefix("DBUS_SYSTEM_BUS_ADDRESS=unix:path="))
    run.signal(SIGTERM)
    #expect(try run.exitStatus() == 143)
  }

  @Test(arguments: [
    (["nosuch.toml"], 66, "nosuch.toml: cannot be read"), ([], 64, "which scenario?"), (["a.toml", "--seed"], 64, "--seed needs a value"),
    (["a.toml", "b.toml"], 64, "\"b.toml\" is one scenario too many"), (["--fast", "a.toml"], 64, "unknown option --fast"),
  ])
  func `what is wrong is said`(arguments: [String], status: Int32, message: String) throws {
    let folder = URL(fileURLWithPath: Programs.commandLine).deletingLastPathComponent().path
    let run = try RunningProgram(
      Programs.repository("Sources/Apps/beaconmon-venue/beaconmon-venue"), arguments, environment: ["PATH": "\(folder):/usr/bin:/bin"])
    #expect(try run.exitStatus() == status)
    #expect(try run.log.all().first?.contains(message) == true)
  }
}

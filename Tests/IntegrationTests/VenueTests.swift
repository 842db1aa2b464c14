import Foundation
import TestSupport
import Testing

/// `beaconmon-venue`: a simulated venue and a bus for somebody else's tests.
@Suite struct VenueTests {
  private func venue(_ arguments: [String]) throws -> RunningProgram {
    try RunningProgram(Programs.venue, arguments, environment: Programs.onPath)
  }

  private static let museum = Programs.repository("Docs/examples/scenarios/museum.toml")

  private func folder(ofBus address: String) -> String {
    URL(fileURLWithPath: String(address.dropFirst("unix:path=".count))).deletingLastPathComponent().path
  }

  @Test func `the command hears the venue, its status is the venue's, and nothing is left`() throws {
    let run = try venue([
      Self.museum, "--speed", "20", "--", "sh", "-c",
      "until beaconmon status --json | grep -q '\"state\":\"inside\"'; do sleep 0.1; done; echo $DBUS_SYSTEM_BUS_ADDRESS; exit 3",
    ])
    let address = try run.output.next("the address")
    #expect(address.hasPrefix("unix:path="))
    #expect(try run.exitStatus() == 3)
    #expect(!FileManager.default.fileExists(atPath: folder(ofBus: address)))
  }

  @Test func `the command is told where in the venue it is, and enters its circles`() throws {
    let run = try venue([
      Programs.repository("Docs/examples/scenarios/park-cafe.toml"), "--speed", "200", "--", "sh", "-c",
      "until beaconmon status --json | grep -q '\"identifier\":\"café\",[^}]*\"state\":\"inside\"'; do sleep 0.1; done; beaconmon locate --json",
    ])
    let place = try JSON(parsing: try run.output.next("the place"))
    #expect(place["source"] == "simulator" && place["horizontalAccuracy"] == 5)
    #expect(abs((place["latitude"]?.number ?? 0) - 59.3289) < 0.001)
    #expect(try run.exitStatus() == 0)
  }

  @Test func `a region of beacons stays unknown while a circle holds the scan off, and the source is paused`() throws {
    let folder = try TemporaryDirectory()
    let scenario = "\(folder.path)/park.toml"
    let park = try String(contentsOfFile: Programs.repository("Docs/examples/scenarios/park-cafe.toml"), encoding: .utf8)
    try park.replacing("identifier = \"counter\"", with: "identifier = \"counter\"\nexit-delay = \"5m\"")
      .write(toFile: scenario, atomically: true, encoding: .utf8)
    // The circle holds the scan off from 21 s on, and the counter is heard after 11 minutes.
    let run = try venue([
      scenario, "--speed", "100", "--", "sh", "-c",
      "until beaconmon status --json | grep -q '\"sourceState\":\"paused\"'; do sleep 0.05; done; beaconmon status | sed -n 2p; "
        + "until beaconmon events --region counter | grep -q enter; do sleep 0.1; done; beaconmon events --region counter --json",
    ])
    #expect(try run.output.next("the source") == "source     simulator:\(scenario), paused")
    let first = try JSON(parsing: try run.output.next("the first event"))
    #expect(first["event"] == "enter", "\(first)")
    run.signal(SIGTERM)
  }

  @Test(arguments: zip([SIGTERM, SIGINT], [143, 130] as [Int32]))
  func `without a command it says where the bus is, until it is told to end`(signal: Int32, status: Int32) throws {
    let run = try venue([Self.museum])
    let line = try run.output.next("the address")
    let folder = folder(ofBus: String(line.dropFirst("DBUS_SYSTEM_BUS_ADDRESS=".count)))
    #expect(FileManager.default.fileExists(atPath: folder))
    run.signal(signal)
    #expect(try run.exitStatus() == status)
    #expect(!FileManager.default.fileExists(atPath: folder))
    // Whoever still had its end of the pipe would be left over.
    #expect(try run.output.all() == [line])
  }

  @Test(arguments: [(SIGTERM, "TERM", 143), (SIGINT, "INT", 130)])
  func `what ends it ends the command first, which may tidy up`(signal: Int32, name: String, status: Int32) throws {
    let run = try venue([
      Self.museum, "--", "sh", "-c",
      "trap 'beaconmon status >/dev/null && echo tidy; exit' \(name); echo begun; while :; do sleep 0.05; done",
    ])
    _ = try run.output.next("the beginning")
    run.signal(signal)
    #expect(try run.output.next("the end") == "tidy")
    #expect(try run.exitStatus() == status)
  }

  @Test(arguments: [
    (["nosuch.toml"], 66, "nosuch.toml: cannot be read"), ([], 64, "missing SCENARIO"), (["a.toml", "--seed"], 64, "--seed needs a value"),
    ([museum, "--duration", "soon"], 64, "a duration is a number and"), (["--fast", "a.toml"], 64, "unknown option --fast"),
    ([museum, "--speed", "0"], 64, "neither a number above 0"), ([museum, "nosuchprogram"], 127, "nosuchprogram: no such command"),
  ])
  func `what is wrong is said`(arguments: [String], status: Int32, message: String) throws {
    let run = try venue(arguments)
    #expect(try run.exitStatus() == status)
    #expect(try run.log.all().first?.contains(message) == true)
  }
}

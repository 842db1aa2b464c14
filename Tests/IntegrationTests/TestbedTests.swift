import Foundation
import TestSupport
import Testing

/// The program `beaconmon-testbed`, which runs a command on a private bus with a daemon in a simulated venue.
@Suite struct TestbedTests {
  private func testbed(_ arguments: [String]) throws -> RunningProgram {
    try RunningProgram(Programs.testbed, arguments, environment: Programs.onPath)
  }

  private static let museum = Programs.repository("Docs/examples/scenarios/museum.toml")

  private func folder(ofBus address: String) -> String {
    URL(fileURLWithPath: String(address.dropFirst("unix:path=".count))).deletingLastPathComponent().path
  }

  @Test func `the testbed ends with the command's status and leaves nothing behind`() throws {
    let run = try testbed([
      Self.museum, "--speed", "20", "--", "sh", "-c",
      "until beaconmon status --json | grep -q '\"state\":\"inside\"'; do sleep 0.1; done; echo $DBUS_SYSTEM_BUS_ADDRESS; exit 3",
    ])
    let address = try run.output.next("the address")
    #expect(address.hasPrefix("unix:path="))
    #expect(try run.exitStatus() == 3)
    #expect(!FileManager.default.fileExists(atPath: folder(ofBus: address)))
  }

  @Test func `the command receives the location and the circle events of the venue`() throws {
    let run = try testbed([
      Programs.repository("Docs/examples/scenarios/park-cafe.toml"), "--speed", "200", "--", "sh", "-c",
      "until beaconmon status --json | grep -q '\"identifier\":\"café\",[^}]*\"state\":\"inside\"'; do sleep 0.1; done; beaconmon locate --json",
    ])
    let place = try JSON(parsing: try run.output.next("the place"))
    #expect(place["source"] == "simulator" && place["horizontalAccuracy"] == 5)
    #expect(abs((place["latitude"]?.number ?? 0) - 59.3289) < 0.001)
    #expect(try run.exitStatus() == 0)
  }

  @Test func `a beacon region stays unknown while a circle pauses the scan`() throws {
    let folder = try TemporaryDirectory()
    let scenario = "\(folder.path)/park.toml"
    let park = try String(contentsOfFile: Programs.repository("Docs/examples/scenarios/park-cafe.toml"), encoding: .utf8)
    try park.replacing("identifier = \"counter\"", with: "identifier = \"counter\"\nexit-delay = \"5m\"")
      .write(toFile: scenario, atomically: true, encoding: .utf8)
    // The circle pauses the scan from 21 s on, and the counter's beacon is heard after 11 minutes.
    let run = try testbed([
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
  func `without a command the testbed prints the bus address and runs until a signal`(signal: Int32, status: Int32) throws {
    let run = try testbed([Self.museum])
    let line = try run.output.next("the address")
    let folder = folder(ofBus: String(line.dropFirst("DBUS_SYSTEM_BUS_ADDRESS=".count)))
    #expect(FileManager.default.fileExists(atPath: folder))
    run.signal(signal)
    #expect(try run.exitStatus() == status)
    #expect(!FileManager.default.fileExists(atPath: folder))
    // A remaining process would keep the pipe open.
    #expect(try run.output.all() == [line])
  }

  @Test(arguments: [(SIGTERM, "TERM", 143), (SIGINT, "INT", 130)])
  func `a signal ends the command first and gives it time to clean up`(signal: Int32, name: String, status: Int32) throws {
    let run = try testbed([
      Self.museum, "--", "sh", "-c",
      "trap 'beaconmon status >/dev/null && echo tidy; exit' \(name); echo begun; while :; do sleep 0.05; done",
    ])
    _ = try run.output.next("the beginning")
    run.signal(signal)
    #expect(try run.output.next("the end") == "tidy")
    #expect(try run.exitStatus() == status)
  }

  /// The shell takes the signal before its first command after the start of the child.
  /// No variable has the process id of the child yet.
  @Test(arguments: 1...3) func `a signal just after a child has started ends all children`(child: Int) throws {
    let folder = try TemporaryDirectory()
    let signals = "\(folder.path)/signals.sh"
    try """
    trap 'if [ "${!:-}" != "$newest" ]; then newest=${!:-}; ((++started != \(child))) || kill -TERM $$; fi' DEBUG
    newest='' started=0
    """.write(toFile: signals, atomically: true, encoding: .utf8)
    let run = try RunningProgram(
      Programs.testbed, [Self.museum, "--", "sleep", "60"], environment: Programs.onPath.merging(["BASH_ENV": signals]) { $1 })
    #expect(try run.exitStatus() == 143)
    // A remaining process would keep the pipe open.
    #expect(try run.output.all() == [])
  }

  @Test(arguments: [
    (["nosuch.toml"], 66, "nosuch.toml: cannot be read"), ([], 64, "missing SCENARIO"),
    (["a.toml", "--seed"], 64, "--seed requires a value"),
    ([museum, "--duration", "soon"], 64, "write a number and"), (["--fast", "a.toml"], 64, "unknown option --fast"),
    ([museum, "--speed", "0"], 64, "not a number greater than 0"), ([museum, "nosuchprogram"], 127, "nosuchprogram: no such command"),
  ])
  func `a wrong argument is an error with its exit status`(arguments: [String], status: Int32, message: String) throws {
    let run = try testbed(arguments)
    #expect(try run.exitStatus() == status)
    #expect(try run.log.all().first?.contains(message) == true)
  }

  @Test func `the old name warns with the new name and runs it`() throws {
    let run = try RunningProgram(
      Programs.testbed.replacing("/beaconmon-testbed/beaconmon-testbed", with: "/beaconmon-testbed/beaconmon-venue"), ["nosuch.toml"],
      environment: Programs.onPath)
    #expect(try run.exitStatus() == 66)
    let lines = try run.log.all()
    #expect(lines.first == "beaconmon-venue: warning: this command is now called beaconmon-testbed; the old name goes away in 0.2.0")
    #expect(lines.last?.contains("nosuch.toml: cannot be read") == true)
  }
}

import Foundation
import TestSupport
import Testing

/// A device that uses its location only, without scanning for beacons.
@Suite struct WithoutBeaconsTests {
  private static let circle = """
    [[region]]
    identifier = "shop"
    latitude = 52.52
    longitude = 13.405
    radius = 100

    """
  private static let beacons = "[[region]]\nidentifier = \"hall\"\nuuid = \"8ec76ea3-6668-48da-9866-75be8bc86f4d\"\n"
  private static let nothing =
    "there is no source of beacons, locations or headings; choose another source, add a [location] table, or a source in [heading]"
  private static let refusal = "\(BusClient.busName).Error.NoBeaconSource"

  @Test func `a daemon without beacons reports its location, and that it does not scan`() throws {
    let stage = try Stage()
    let client = try stage.listener()
    let clocks = try TestClocks()
    let config = try stage.file("config.toml", "source = \"none\"\n" + LocationScene.fixed + "\n" + Self.circle)
    let daemon = try RunningProgram(
      Programs.daemon, ["--bus", stage.bus.address, "--config", config],
      environment: clocks.environment.merging(["STATE_DIRECTORY": stage.folder.path]) { $1 })
    try client.waitForDaemon()
    let session = try client.openSession()
    #expect(try client.property("Capabilities", "Session", at: session) == ["circularRegions", "location", "significantLocationChanges"])
    #expect(try client.updateLocation(on: session) == .values([]))
    #expect(try client.nextLocation()["latitude"] == 52.52)
    let beacons: JSON = ["uuid": "8ec76ea3-6668-48da-9866-75be8bc86f4d"]
    #expect(
      try client.range(beacons, on: session)
        == .error(
          Self.refusal,
          message: "this device does not scan for beacons, because source is \"none\" in beaconmon.toml; see Capabilities"))
    let hall: JSON = ["identifier": "hall", "uuid": "8ec76ea3-6668-48da-9866-75be8bc86f4d"]
    #expect(try client.monitor(hall, on: session).name == Self.refusal)
    #expect(try client.call(BusClient.session, "StartScanning", at: session).name == Self.refusal)
    let circle: JSON = ["identifier": "here", "latitude": 52.52, "longitude": 13.405, "radius": 100]
    #expect(try client.monitor(circle, on: session) == .values([]))
    clocks.pass(seconds: 21)
    try client.waitUntilTold("the enter") { $0.details?["event"] == "enter" && $0.details?["region"] == "shop" }
    let status = try RunningProgram.result(Programs.commandLine, ["status", "--bus", stage.bus.address])
    #expect(status.contains("shop    inside"), "\(status)")
    #expect(status.contains("source     none, not scanning for beacons\n"))
    #expect(!status.contains("advertisements"))
    #expect(try client.property("SourceState", "Manager") == "none")
    let range = try CommandLine(["range", "8ec76ea3-6668-48da-9866-75be8bc86f4d", "--bus", stage.bus.address])
    #expect(range.status != 0 && range.errors.contains { $0.contains("this device does not scan for beacons") })
    let record = try CommandLine(["record", stage.folder.file("out.btsnoop"), "--bus", stage.bus.address])
    #expect(record.status != 0 && record.errors.contains { $0.contains("this device does not scan for beacons") })
    daemon.signal(SIGTERM)
    #expect(try daemon.exitStatus() == 0)
  }

  @Test func `a device with a compass alone reports its heading`() throws {
    let stage = try Stage()
    let client = try stage.listener()
    let config = try stage.file("config.toml", "[heading]\nsource = \"simulator\"\n")
    let daemon = try RunningProgram(Programs.daemon, ["--bus", stage.bus.address, "--config", config, "--source", "none"])
    try client.waitForDaemon()
    let session = try client.openSession()
    #expect(try client.property("Capabilities", "Session", at: session) == ["heading"])
    #expect(try client.follow(["filter": 0], on: session) == .values([]))
    try client.waitUntilTold("a heading") { $0.name == "HeadingUpdated" && $0.arguments[0]["magneticHeading"] != nil }
    daemon.signal(SIGTERM)
    #expect(try daemon.exitStatus() == 0)
  }

  @Test(arguments: [
    ("", nothing),
    ("[location]", nothing),
    ("[heading]\nsource = \"auto\"", nothing),
    (
      LocationScene.fixed + "\n" + beacons,
      "region \"hall\": has beacons, but --source none disables scanning; remove the region"
    ),
  ])
  func `the config must fit the source on the command line`(config: String, message: String) throws {
    let stage = try Stage()
    let file = try stage.file("config.toml", config)
    let refusal = try stage.refusal(of: Programs.daemon, ["--bus", stage.bus.address, "--config", file, "--source", "none"])
    #expect(refusal.status == 78)
    #expect(refusal.lines == ["beaconmond: FOLDER/config.toml: \(message)"])
  }

  private static let walk = "[location.capture]\npath = \"\(Programs.fixture("walk.nmea"))\"\n"
  private static let museum = "simulator:\(Programs.repository("Docs/examples/scenarios/museum.toml"))"

  @Test(arguments: [
    (["--source", "none"], LocationScene.fixed, LocationScene.fixed + "\n" + beacons),
    (["--source", "none"], LocationScene.fixed, "[heading]\nsource = \"auto\"\n"),
    (["--source", museum], "", walk),
    ([], "source = \"none\"\n" + LocationScene.fixed, LocationScene.fixed),
  ])
  func `a reload refuses a config with the reason that a start gives, and keeps the previous one`(
    arguments: [String], started: String, changed: String
  ) throws {
    let stage = try Stage()
    let client = try stage.listener()
    let config = try stage.file("config.toml", started)
    let command = ["--bus", stage.bus.address, "--config", config] + arguments
    let daemon = try RunningProgram(Programs.daemon, command)
    try client.waitForDaemon()
    _ = try stage.file("config.toml", changed)
    daemon.signal(SIGHUP)
    let reason = try daemon.log.next("the reason") { $0.contains("config.toml: ") }
    _ = try daemon.log.next("the refusal") { $0.contains("refused; keeping the previous configuration") }
    _ = try stage.file("config.toml", started)
    daemon.signal(SIGHUP)
    let next = try daemon.log.next("the next reload") { $0.contains("config.toml") }
    #expect(next.contains("reloaded") && !next.contains("restart"))
    daemon.signal(SIGTERM)
    #expect(try daemon.exitStatus() == 0)
    _ = try stage.file("config.toml", changed)
    let refusal = try stage.refusal(of: Programs.daemon, command)
    #expect(refusal.status == 78)
    // A line of the log has its severity, too.
    let logged = reason.replacingOccurrences(of: stage.folder.path, with: "FOLDER").replacingOccurrences(of: "error: ", with: "")
    #expect(refusal.lines == [logged])
  }

  @Test func `a reload may add a walk without beacons`() throws {
    let stage = try Stage()
    let file = try stage.file("config.toml", LocationScene.fixed)
    let daemon = try RunningProgram(Programs.daemon, ["--bus", stage.bus.address, "--config", file, "--source", "none"])
    try stage.listener().waitForDaemon()
    _ = try stage.file("config.toml", Self.walk)
    daemon.signal(SIGHUP)
    _ = try daemon.log.next("the reload") { $0.contains("reloaded") }
    daemon.signal(SIGTERM)
    #expect(try !daemon.log.all().contains { $0.contains("clock of a recording") })
  }
}

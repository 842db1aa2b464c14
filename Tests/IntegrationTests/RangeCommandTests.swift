import Foundation
import TestSupport
import Testing

/// `beaconmon range`, directly on a capture and through the daemon.
@Suite struct RangeCommandTests {
  static let uuid = ReplayTests.walkUUID

  @Test func `range prints a line of JSON for each second of a capture, nearest first and unknown last`() throws {
    let run = try CommandLine(["range", Self.uuid, "--capture", Stage.walk, "--json"])
    let seconds = try run.output.map { try JSON(parsing: $0) }
    #expect(seconds.count == 84)
    #expect(seconds.first?["time"]?.text == "2020-02-09T12:44:45.000000Z")
    for second in seconds {
      let distances = (second["beacons"]?.list ?? []).map { $0["distance"]?.number ?? .infinity }
      #expect(distances == distances.sorted())
    }
    #expect(seconds.map { $0["beacons"]?.list?.count ?? 0 }.max() == 12)
  }

  @Test func `range --csv has a line for each beacon of the JSON, with the same values`() throws {
    let command = ["range", Self.uuid, "--capture", Stage.walk]
    let beacons = try CommandLine(command + ["--json"]).output.flatMap { try JSON(parsing: $0)["beacons"]?.list ?? [] }
    let lines = try CommandLine(command + ["--csv"]).output
      .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    let header = try #require(lines.first)
    // Every key of the JSON has a column, so that a key added to one only is noticed.
    let keys = Set(beacons.flatMap { ($0.object ?? [:]).keys }).union(["place", "placeId", "battery", "temperature"])
    #expect(Set(header.dropFirst().map { $0.replacing("\r", with: "") }) == keys)
    #expect(lines.dropFirst().map { $0[3] } == beacons.map { String(Int($0["minor"]?.number ?? 0)) })
    #expect(try CommandLine(command + ["--csv", "--json"]).status == 64)
  }

  @Test func `range prints the same for a capture at any speed`() throws {
    let command = ["range", Self.uuid, "--capture", Stage.walk, "--json"]
    #expect(try CommandLine(command).output == CommandLine(command + ["--speed", "400"]).output)
  }

  @Test func `major and minor limit the output of range`() throws {
    let run = try CommandLine(["range", Self.uuid, "--major", "1", "--minor", "7", "--capture", Stage.walk, "--json"])
    let minors = try Set(run.output.flatMap { try JSON(parsing: $0)["beacons"]?.list ?? [] }.map { $0["minor"]?.number })
    #expect(minors == [7])
  }

  @Test func `range --once prints the first second with a beacon`() throws {
    let run = try CommandLine(["range", Self.uuid, "--capture", Stage.walk, "--json", "--once"])
    #expect(run.output.count == 1)
    #expect(run.status == 0)
  }

  @Test func `range --once prints the beacons of a capture that is shorter than a second`() throws {
    let stage = try Stage()
    let octets = CaptureOctets.header() + CaptureOctets.sighting(minor: 3, at: 0.1) + CaptureOctets.sighting(minor: 3, at: 0.3)
    let run = try CommandLine(["range", Self.uuid, "--capture", stage.file("short.btsnoop", octets), "--json", "--once"])
    #expect(run.status == 0 && run.errors.isEmpty)
    #expect(try JSON(parsing: run.output.first ?? "")["beacons"]?.list?.first?["minor"] == 3)
  }

  @Test func `range --once gives up after five seconds without a beacon`() throws {
    let run = try CommandLine(["range", "00000000-0000-0000-0000-000000000000", "--capture", Stage.walk, "--once"])
    #expect(run.status == 69)
    #expect(
      run.errors == [
        "beaconmon: no beacon of 00000000-0000-0000-0000-000000000000 was received for 5 s; check the UUID, and that the beacons are on and in range"
      ])
  }

  @Test func `range prints nine fields on every line into a pipe`() throws {
    let run = try CommandLine(["range", Self.uuid, "--capture", Stage.walk])
    #expect(run.output.count > 900)
    #expect(run.output.allSatisfy { $0.split(separator: " ").count == 9 })
  }

  @Test func `range ends silently when its reader closes the pipe`() throws {
    let shell = try RunningProgram(
      "/bin/bash", ["-c", "'\(Programs.commandLine)' range \(Self.uuid) --capture '\(Stage.walk)' | head -n 1; echo ${PIPESTATUS[0]}"])
    let lines = try shell.output.all()
    #expect(lines.count == 2 && lines.last == "0")
    #expect(try shell.log.all().isEmpty)
  }

  @Test func `range shows the beacons of the daemon, and ends with Ctrl-C`() throws {
    let scene = try SessionScene()
    let range = try RunningProgram(Programs.commandLine, ["range", Self.uuid, "--bus", scene.stage.bus.address, "--json"])
    _ = try range.output.next("the first second")
    for second in [1.5, 2.5] { for minor in UInt16(1)...12 { try scene.feed.hear(minor: minor, at: second) } }
    let line = try range.output.next("a second with twelve beacons") { $0.components(separatedBy: "\"minor\"").count == 13 }
    #expect(try JSON(parsing: line)["beacons"]?.list?.first?["uuid"]?.text == Self.uuid)
    range.signal(SIGINT)
    #expect(try range.exitStatus() == 0)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `range continues with a restarted daemon`() throws {
    let stage = try Stage()
    /// Starts a daemon that hears one beacon. Both run until the returned values are released.
    func start(hearing minor: UInt16) throws -> (daemon: RunningProgram, feed: CaptureFeed) {
      let (listener, feed) = (try stage.listener(), try CaptureFeed(stage, named: "feed \(minor)"))
      let daemon = try stage.daemon(config: try stage.file("config.toml", Stage.hall), source: feed.path)
      try feed.hear(minor: minor, at: 0)
      _ = try listener.next("the enter") { $0.name == "RegionEvent" }
      return (daemon, feed)
    }
    let first = try start(hearing: 1)
    let range = try RunningProgram(Programs.commandLine, ["range", Self.uuid, "--bus", stage.bus.address, "--json"])
    _ = try range.output.next("a beacon") { $0.contains("\"minor\":1") }
    first.daemon.signal(SIGKILL)
    #expect(try range.log.next("the log line") == "beaconmon: beaconmond has stopped; waiting for it")
    let second = try start(hearing: 2)
    _ = try range.output.next("a beacon again") { $0.contains("\"minor\":2") }
    withExtendedLifetime((first.feed, second.feed)) {}
    second.daemon.signal(SIGTERM)
  }

  @Test func `range without a UUID ranges the configured regions and venues, in one object a second`() throws {
    let second = "00000000-0000-0000-0000-000000000007"
    let region = "[[region]]\nidentifier = \"other\"\nuuid = \"\(second)\"\n"
    let scene = try SessionScene(
      config: "venues = [\"gallery.toml\"]\n" + Stage.hall + region, files: ["gallery.toml": VenueTests.gallery])
    let range = try RunningProgram(Programs.commandLine, ["range", "--bus", scene.stage.bus.address, "--json"])
    _ = try range.output.next("the first second")
    for second in [1.5, 2.5] { for minor in UInt16(1)...3 { try scene.feed.hear(minor: minor, at: second) } }
    let line = try JSON(parsing: range.output.next("a second with three beacons") { $0.components(separatedBy: "\"minor\"").count == 4 })
    #expect(line["beacons"]?.list?.first { $0["minor"] == 1 }?["place"]?.text == "Lodestone")
    range.signal(SIGINT)
    #expect(try range.exitStatus() == 0)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `range without a UUID names the next step if nothing is configured`() throws {
    let stage = try Stage()
    let feed = try CaptureFeed(stage)
    let client = try BusClient(stage.bus, matching: "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged'")
    let daemon = try stage.daemon(config: try stage.file("config.toml", ""), source: feed.path)
    try client.waitForDaemon()
    let run = try CommandLine(["range", "--bus", stage.bus.address])
    #expect(run.status == 64)
    #expect(
      run.errors == [
        "beaconmon: no UUID is given, and beaconmond shows you no region of beacons and no venue; name a UUID, which \"beaconmon scan\" lists"
      ])
    let capture = try CommandLine(["range", "--capture", Stage.walk, "--config", stage.folder.file("config.toml")])
    #expect(capture.status == 64)
    #expect(capture.errors == ["beaconmon: no UUID is given, and the config has no region of beacons and no venue; name a UUID"])
    daemon.signal(SIGTERM)
  }

  @Test(
    arguments: [
      (["range", "--major", "1"], "--major requires a UUID"), (["range", "--capture", "x"], "--capture requires a UUID, or --config"),
      (["monitor", "--json", "--lines"], "--json and --lines cannot be combined"),
      (["status", "--watch", "--json"], "--watch cannot be combined with --json or --health"),
    ])
  func `options that lack another one or exclude each other are refused`(arguments: [String], reason: String) throws {
    let run = try CommandLine(arguments)
    #expect(run.status == 64 && run.errors.first?.contains(reason) == true, "\(run.errors)")
  }

  @Test func `range with the config of a walk prints the same as with its UUID`() throws {
    let common = ["--capture", Stage.walk, "--json"]
    let named = try CommandLine(["range", Self.uuid] + common)
    #expect(try CommandLine(["range", "--config", Stage.walkConfig] + common).output.count == named.output.count)
  }

  @Test func `range without a daemon exits with 69`() throws {
    let stage = try Stage()
    let run = try CommandLine(["range", Self.uuid, "--bus", stage.bus.address])
    #expect(run.status == 69)
    #expect(run.errors.count == 1 && run.errors[0].contains("beaconmond is not running on the bus at \(stage.bus.address)"))
  }
}

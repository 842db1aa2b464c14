import Foundation
import TestSupport
import Testing

/// A recorded walk as the daemon's location source.
@Suite struct PlayedWalkTests {
  private static let circles = [("stop", 50.0), ("corner", 20.0)].map { name, radius in
    """
    [[region]]
    identifier = "\(name)"
    latitude = 50.252432
    longitude = 8.50997
    radius = \(radius)

    """
  }.joined()
  private static let beacons = "[[region]]\nidentifier = \"hall\"\nuuid = \"\(CaptureOctets.uuid)\"\n"

  private func played(_ walk: String) -> String { "[location.capture]\npath = \"\(walk)\"\n" }

  /// The event without its number, which counts all regions.
  private func essence(_ event: JSON) -> JSON { event.without("sequence", "journal", "durable") }

  private func replayed(_ stage: Stage, _ file: String, _ config: String) throws -> [JSON] {
    let name = UUID().uuidString + ".toml"
    return try RunningProgram.result(
      Programs.commandLine, ["replay", file, "--config", try stage.file(name, config), "--json", "--drain"]
    ).split(separator: "\n").map { essence(try JSON(parsing: String($0))) }
  }

  /// Returns the events in the journal of a daemon that plays to the end.
  private func daemon(_ stage: Stage, _ config: String, source: String, speed: String, count: Int) throws -> [JSON] {
    let journal = "[journal]\npath = \"\(stage.folder.file("\(UUID()).db"))\"\n"
    let daemon = try RunningProgram(
      Programs.daemon,
      ["--bus", stage.bus.address, "--config", try stage.file("daemon.toml", config + journal), "--source", source, "--speed", speed])
    var events: [JSON] = []
    try wait(for: "\(count) events") {
      let lines = try CommandLine(["events", "--json", "--bus", stage.bus.address]).output
      events = try lines.map { essence(try JSON(parsing: $0)) }
      return events.count >= count
    }
    daemon.signal(SIGTERM)
    #expect(try daemon.exitStatus() == 0)
    return events
  }

  @Test(arguments: ["walk.nmea", "walk.gpsd.txt"], ["max", "100"])
  func `a daemon that plays a walk reports the same events as replay`(name: String, speed: String) throws {
    let stage = try Stage()
    let walk = Programs.fixture(name)
    let expected = try replayed(stage, walk, Self.circles)
    #expect(expected.contains { $0["event"] == "enter" } && expected.contains { $0["reason"]?["cause"] == "locationLost" })
    let told = try daemon(stage, Self.circles + played(walk), source: "none", speed: speed, count: expected.count)
    #expect(told == expected)
  }

  @Test(arguments: ["max", "100"]) func `beacons and a walk of the same minute are played on one clock`(speed: String) throws {
    let stage = try Stage()
    let walk = Programs.fixture("walk.nmea")
    // The walk starts at 2025-06-01T12:00:00Z.
    let zero = 1_748_779_200 - Double(CaptureOctets.start) / 1e6
    let sightings = (0..<25).flatMap { CaptureOctets.sighting(minor: 1, at: zero - 4 + Double($0) * 1.1) }
    let capture = try stage.file("walk.btsnoop", CaptureOctets.header() + sightings)
    let beacons = try replayed(stage, capture, Self.beacons)
    let expected = (beacons + (try replayed(stage, walk, Self.circles))).sorted { $0["time"]?.text ?? "" < $1["time"]?.text ?? "" }
    #expect(Set(beacons.map { $0["event"] }) == ["enter", "exit"])
    let config = Self.beacons + Self.circles + played(walk)
    #expect(try replayed(stage, capture, config) == expected)
    #expect(try daemon(stage, config, source: "capture:\(capture)", speed: speed, count: expected.count) == expected)
  }

  /// A garden without beacons around the stop of the walk, and a hall with beacons there.
  private static let beaconsOfHall = (1...4).map { minor in
    "[[beacon]]\nmajor = 1\nminor = \(minor)\nposition = [\(minor * 5), 5]\n"
  }.joined()
  private static let venues = ["garden": "", "hall": beaconsOfHall].mapValues { beacons in
    """
    format = 1
    uuid = "\(CaptureOctets.uuid)"
    [frame]
    latitude = 50.252432
    longitude = 8.50997
    radius = 60
    [[level]]
    id = "ground"
    walkable = [[[-30, -30], [30, -30], [30, 30], [-30, 30]]]
    \(beacons)
    """
  }
  private static let wholes =
    "venues = [\"garden.toml\", \"hall.toml\"]\n"
    + ["garden", "hall"].map { "[[region]]\nidentifier = \"\($0) as a whole\"\nvenue = \"\($0)\"\n" }.joined()

  @Test func `venues are entered and left by the fixes of a walk, in a replay as in a daemon, with beacons and without`() throws {
    let stage = try Stage()
    for (name, text) in Self.venues { _ = try stage.file("\(name).toml", text) }
    let walk = Programs.fixture("walk.nmea")
    // Between the walk's regions comes the table of its recording.
    let config = Self.wholes + Self.circles + played(walk)
    let expected = try replayed(stage, walk, config)
    for venue in ["garden", "hall"] {
      let kinds = expected.filter { $0["region"]?.text == "\(venue) as a whole" }.map { $0["event"]?.text }
      #expect(kinds.contains("enter"), "\(venue): \(kinds)")
    }
    #expect(try daemon(stage, config, source: "none", speed: "max", count: expected.count) == expected)

    let zero = 1_748_779_200 - Double(CaptureOctets.start) / 1e6
    let sightings = (0..<40).flatMap { CaptureOctets.sighting(minor: 1, at: zero - 4 + Double($0) * 1.1) }
    let capture = try stage.file("walk.btsnoop", CaptureOctets.header() + sightings)
    let both = try replayed(stage, capture, config)
    #expect(both.contains { $0["region"]?.text == "hall as a whole" && $0["event"] == "enter" })
    #expect(try daemon(stage, config, source: "capture:\(capture)", speed: "max", count: both.count) == both)
  }

  @Test(arguments: ["max", "10"]) func `a played walk has advice for an appointment of its own time, even from a calendar`(
    speed: String
  ) throws {
    let stage = try Stage()
    let garden = try #require(Self.venues["garden"])
    _ = try stage.file(
      "garden.toml",
      garden + """

        [[place]]
        id = "fountain"
        level = "ground"
        position = [29, 29]

        """)
    let event = "BEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Concert\r\nLOCATION:fountain\r\nDTSTART:20250601T120200Z\r\nEND:VEVENT\r\n"
    _ = try stage.file("tour.ics", "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//t//EN\r\n\(event)END:VCALENDAR\r\n")
    let config = """
      venues = ["garden.toml"]
      calendar = "tour.ics"
      [[appointment]]
      title = "Tour"
      at = 2025-06-01T12:03:00Z
      place = "fountain"

      """
    let count = speed == "max" ? 1 : 2
    let events = try daemon(stage, config + played(Programs.fixture("walk.nmea")), source: "none", speed: speed, count: count)
    let advice = events.filter { $0["event"] == "depart" || $0["event"] == "hurry" }
    #expect(advice.contains { $0["appointment"] == "Tour" }, "\(events)")
    // At unlimited speed the walk is over before the calendar is read.
    if speed != "max" { #expect(advice.contains { $0["appointment"] == "Concert" }, "\(events)") }
    #expect(advice.allSatisfy { $0["time"]?.text?.hasPrefix("2025-06-01T12:0") ?? false }, "\(events)")
  }

  @Test func `a client receives the locations of the walk with their times`() throws {
    let stage = try Stage()
    let client = try stage.listener()
    let config = try stage.file("config.toml", "source = \"none\"\n" + played(Programs.fixture("walk.nmea")))
    let daemon = try RunningProgram(Programs.daemon, ["--bus", stage.bus.address, "--config", config, "--speed", "1"])
    try client.waitForDaemon()
    let session = try client.openSession()
    #expect(try client.updateLocation(on: session) == .values([]))
    let first = try client.nextLocation()
    let second = try client.nextLocation()
    #expect(first["source"] == "capture")
    // The age is at most the duration of the walk.
    #expect(first["age"]?.number.map { $0 >= 0 && $0 < 30 } == true)
    #expect(second["time"]?.number == first["time"]?.number.map { $0 + 1e6 })
    let status = try RunningProgram.result(Programs.commandLine, ["status", "--bus", stage.bus.address])
    #expect(status.contains(/2025-06-01 12:00:[0-2][0-9]Z capture on: the best accuracy is requested/), "\(status)")
    daemon.signal(SIGTERM)
  }

  @Test func `status reports the end of a walk`() throws {
    let stage = try Stage()
    let client = try stage.listener()
    let config = try stage.file("config.toml", Self.circles + played(Programs.fixture("walk.nmea")))
    let daemon = try RunningProgram(
      Programs.daemon, ["--bus", stage.bus.address, "--config", config, "--source", "none", "--speed", "10"],
      environment: ["STATE_DIRECTORY": stage.folder.path])
    try client.waitForDaemon()
    try wait(for: "the end of the walk") {
      try RunningProgram.result(Programs.commandLine, ["status", "--bus", stage.bus.address]).contains("the recording has ended")
    }
    let status = try RunningProgram.result(Programs.commandLine, ["status", "--bus", stage.bus.address])
    #expect(status.contains("capture: silent, ") && status.contains("2025-06-01 12:00:00Z capture on: 10 m are requested"), "\(status)")
    daemon.signal(SIGTERM)
  }

  @Test func `a walk that cannot be played ends the daemon with one line`() throws {
    let stage = try Stage()
    let strange = try stage.file("strange.nmea", "hello\n")
    let capture = Programs.fixture("mixed-10k.btsnoop")
    let walk = Programs.fixture("walk.nmea")
    for (config, arguments, status, message) in [
      (
        played(stage.folder.file("none.nmea")), ["--source", "none"], 66,
        "FOLDER/none.nmea: open: No such file or directory; check the path"
      ),
      (
        played(strange), ["--source", "none"], 65,
        "FOLDER/strange.nmea: line 1: no line so far is NMEA 0183 or JSON of gpsd; record a walk with \"gpspipe -r > walk.nmea\""
      ),
      (
        played(capture), ["--source", "none"], 65,
        "\(capture): line 100: no line so far is NMEA 0183 or JSON of gpsd; record a walk with \"gpspipe -r > walk.nmea\""
      ),
      (
        played(walk), ["--source", "none", "--seed", "2"], 64,
        "--seed and --duration require --source simulator:FILE"
      ),
      (
        played(walk), ["--source", "auto"], 78,
        "FOLDER/config.toml: location: capture: runs on the clock of a recording; source must be \"capture:FILE\" too, or \"none\" for a walk alone"
      ),
    ] as [(String, [String], Int32, String)] {
      let file = try stage.file("config.toml", config)
      let refusal = try stage.refusal(of: Programs.daemon, ["--bus", stage.bus.address, "--config", file] + arguments)
      #expect(refusal.status == status)
      #expect(refusal.lines == ["beaconmond: \(message)"])
    }
  }

  @Test func `replay recognises a walk by its content`() throws {
    let stage = try Stage()
    let config = try stage.file("config.toml", Self.circles)
    let octets = try Data(contentsOf: URL(fileURLWithPath: Programs.fixture("walk.gpsd.txt")))
    let run = try CommandLine(["replay", try stage.file("today", [UInt8](octets)), "--config", config, "--json", "--drain"])
    #expect(run.status == 0 && run.output.count > 2)
    let piped = try CommandLine(["replay", "-", "--config", config, "--json", "--drain"], input: .bringing(octets))
    #expect(piped.status == 0 && piped.output == run.output)
  }
}

import Foundation
import TestSupport
import Testing

/// `beaconmon survey` on captures and through the daemon.
@Suite struct SurveyCommandTests {
  private static let venue = Programs.repository("Docs/examples/venues/gallery.toml")
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func file(_ name: String, _ text: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file(name)))
    return folder.file(name)
  }

  @Test func `a recorded walk through a venue hears all its beacons`() throws {
    let run = try CommandLine(["survey", Stage.walk, "--venue", Self.venue, "--json"])
    let report = try JSON(parsing: try #require(run.output.first, "\(run.errors)"))
    #expect(run.status == 0 && report["expectation"]?["source"]?.text == "venue" && report["expectation"]?["beacons"]?.number == 12)
    #expect(report["missing"]?.list?.isEmpty == true && report["packets"]?.number == 1949)
    let beacons = try #require(report["beacons"]?.list)
    #expect(beacons.count == 12 && beacons.allSatisfy { $0["expected"] == true && $0["rssi"]?["median"]?.number ?? 0 < -40 })
    // Some advertisements of the walk came within 8 ms, which is less than any interval.
    #expect((1900...1949).contains(beacons.compactMap { $0["count"]?.number }.reduce(0, +)))
    let text = try CommandLine(["survey", Stage.walk, "--venue", Self.venue])
    #expect(
      text.output.first?.hasPrefix("survey of gallery-rectangular_without_rotation.btsnoop, 2020-02-09 12:44:44Z") == true, "\(text.output)"
    )
    #expect(text.output.last?.hasPrefix("12 of 12 expected by the venue were heard, 0 missing") == true, "\(text.output)")
  }

  @Test func `a list names what is missing, and a wrong list is refused before anything is read`() throws {
    let uuid = ReplayTests.walkUUID
    let list = try file("list.csv", "uuid,major,minor,name\n" + (1...13).map { "\(uuid),1,\($0),Number \($0)\n" }.joined())
    let run = try CommandLine(["survey", Stage.walk, "--expect", list])
    #expect(run.output.contains("missing: 1/13, Number 13"), "\(run.output)")
    #expect(run.output.last?.hasPrefix("12 of 13 expected by the list were heard, 1 missing") == true, "\(run.output)")
    let twice = try file("twice.csv", "uuid,major,minor\n\(uuid),1,5\n\(uuid),1,5\n")
    let refused = try CommandLine(["survey", Stage.walk, "--expect", twice])
    #expect(refused.status == 65 && refused.output.isEmpty)
    #expect(refused.errors == ["beaconmon: \(twice):3: line 2 has the beacon 1/5 of this UUID already; remove one of them"])
    let header = try CommandLine(["survey", Stage.walk, "--expect", file("header.csv", "uuid,name\n")])
    #expect(header.status == 65 && header.errors.first?.contains("header.csv:1: the columns major, minor are missing") == true)
  }

  @Test func `files are written whole, and not over others unless that is wanted`() throws {
    let name = folder.file("gallery")
    let command = ["survey", Stage.walk, "--output", name]
    let run = try CommandLine(command)
    #expect(run.status == 0 && run.errors == ["beaconmon: \(name).json: written", "beaconmon: \(name).html: written"])
    let text = try String(contentsOfFile: name + ".json", encoding: .utf8)
    #expect(try JSON(parsing: text)["version"]?.number == 1)
    let again = try CommandLine(command)
    #expect(again.status == 74 && again.output.isEmpty && again.errors.first?.contains("already exists; --force replaces it") == true)
    #expect(try CommandLine(command + ["--force"]).status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["gallery.html", "gallery.json"])
    let nowhere = try CommandLine(["survey", Stage.walk, "--output", folder.file("none/gallery")])
    #expect(nowhere.status == 74 && nowhere.output.isEmpty && nowhere.errors.first?.contains("choose a folder") == true)
  }

  @Test func `a full disk is an error that names the file, and the old report is kept`() throws {
    let name = folder.file("gallery")
    _ = try file("gallery.json", "old\n")
    // A limit of the size of files fails a write as a full disk does.
    let script = "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\""
    let run = try CommandLine(
      program: "/bin/bash", ["-c", script, Programs.commandLine, "survey", Stage.walk, "--output", name, "--force"])
    #expect(run.status == 74 && run.errors.contains { $0.contains("gallery.json: cannot be written: File too large") }, "\(run.errors)")
    #expect(run.output.last?.contains("fault") == true, "the report is lost: \(run.output)")
    #expect(try String(contentsOfFile: folder.file("gallery.json"), encoding: .utf8) == "old\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["gallery.json"])
  }

  @Test func `the report is readable in a window of 20 columns`() throws {
    let window = try TmuxWindow(columns: 20, rows: 60)
    try window.type("clear; '\(Programs.commandLine)' survey '\(Stage.walk)' --utc")
    let lines = try window.wait(for: "fault")
    #expect(lines.allSatisfy { $0.count <= 20 } && lines.contains { $0.contains("1/12") }, "\(lines)")
  }

  @Test func `a capture without a beacon is reported with 69`() throws {
    let path = folder.file("empty.btsnoop")
    try Data(CaptureOctets.header() + CaptureOctets.record([0x04, 0x0E, 0x01, 0x00], at: 0)).write(to: URL(fileURLWithPath: path))
    let run = try CommandLine(["survey", path])
    #expect(run.status == 69 && run.errors == ["beaconmon: no beacon was heard; check where the capture was made"])
  }

  @Test(
    arguments: [
      (["a", "--session"], "cannot be combined with a bus"), (["a", "--duration", "5s"], "--duration requires a walk"),
      (["--closest", "0.1"], "is not a distance of 0.25 to 20 m"), (["--force"], "--force requires --output"),
      (["--expect", "a", "--venue", "b"], "choose one list"), (["--output", "x/"], "--output requires a name for files"),
    ] as [([String], String)])
  func `options that do not belong together are refused by survey`(arguments: [String], message: String) throws {
    let run = try CommandLine(["survey"] + arguments)
    #expect(run.status == 64 && run.errors.first?.contains(message) == true, "\(run.errors)")
  }

  @Test func `true positions of another time are an error, and no survey without places`() throws {
    let walk = Programs.fixture("gallery-straight_01.btsnoop")
    let other = Programs.fixture("gallery-rectangular_without_rotation.truth.csv")
    let run = try CommandLine(["survey", walk, "--truth", other, "--venue", Self.venue])
    #expect(run.status == 65 && run.errors.first?.contains("do not overlap those of \(walk)") == true, "\(run.errors)")
  }

  @Test func `walks with true positions make the survey of a venue, each with the places of those before`() throws {
    let venue = try String(contentsOfFile: Self.venue, encoding: .utf8)
    _ = try file("beaconmon.toml", "venues = [\"gallery.toml\"]\n")
    _ = try file("gallery.toml", venue)
    for number in 1...4 {
      // Each survey keeps what the one before has measured elsewhere.
      let walk = Programs.fixture("gallery-straight_0\(number)")
      let run = try CommandLine([
        "survey", walk + ".btsnoop", "--truth", walk + ".truth.csv", "--venue", folder.file("gallery.toml"), "--output",
        folder.file("walk\(number)"),
      ])
      #expect(run.status == 0 && run.errors.last == "beaconmon: \(folder.file("walk\(number).csv")): written", "\(run.errors)")
      _ = try file("gallery.toml", "survey = \"walk\(number).csv\"\n\(venue)")
    }
    let report = try JSON(parsing: try String(contentsOfFile: folder.file("walk4.json"), encoding: .utf8))
    #expect(report["venue"]?.text == "gallery" && report["nextPlaces"]?.list?.count == 5)
    #expect(report["coverage"]?[0]?["surveyed"]?.number ?? 0 > 0.4, "\(String(describing: report["coverage"]))")
    // The daemon and a replay read the file as it is.
    let check = try CommandLine(["venue", "check", folder.file("gallery.toml")])
    #expect(check.status == 0 && !check.output.contains { $0.contains("survey: ") && !$0.contains("fewer places") }, "\(check.output)")
    let walks = ReplayScoreTests.arguments(["rectangular_without_rotation"], "--json") + ["--config", folder.file("beaconmon.toml")]
    let score = try JSON(parsing: try #require(try CommandLine(walks).output.first))
    #expect(try #require(score["positionErrorMean"]?.number) < 1.75)
    #expect(report["beacons"]?.list?.allSatisfy { $0["placedAt"] == nil } == true)
  }

  @Test func `an installer stands at places by their names, and the files have what was measured`() throws {
    let scene = try SessionScene(
      config: "venues = [\"gallery.toml\"]\n" + Stage.hall, files: ["gallery.toml": VenueTests.gallery])
    let window = try TmuxWindow(columns: 80, rows: 24)
    let name = folder.file("survey")
    let config = scene.stage.folder.file("config.toml")
    try window.type("'\(Programs.commandLine)' survey --bus '\(scene.stage.bus.address)' --config '\(config)' --output '\(name)' --utc")
    try window.wait(for: "0 places measured")
    for tenth in 1...20 { try scene.feed.hear(minor: 1, at: 1 + Double(tenth) / 10) }
    try window.wait(for: "ok")
    try window.press("w")
    try window.wait(for: "where do you stand?")
    try window.type("lodest")
    try window.wait(for: "STAND STILL at Lodestone")
    for tenth in 1...20 { try scene.feed.hear(minor: 1, at: 4 + Double(tenth) / 10) }
    try window.wait(for: "20 packets of 1 beacon")
    try window.press("w", "Enter")
    try window.wait(for: "1 place measured")
    try window.press("q")
    try window.wait(for: "survey.csv: written")
    let lines = try String(contentsOfFile: name + ".csv", encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 2 && lines[1].hasSuffix(",1,1,-59.0,20"), "\(lines)")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a walk with the daemon has the report of its recording`() throws {
    let stage = try Stage()
    let feed = try CaptureFeed(stage)
    let daemon = try stage.daemon(config: Stage.walkConfig, source: feed.path)
    // The walk starts at 2020-02-09T12:44:44.779766Z.
    let start = Double(1_581_252_284_779_766 - CaptureOctets.start) / 1e6
    try feed.write(CaptureOctets.record([0x04, 0x0E, 0x01, 0x00], at: start - 1))
    let client = try stage.listener()
    try client.waitForDaemon()
    try wait(for: "the first record") { try client.property("Statistics", "Manager")?["advertisements"] != nil }
    let command = ["survey", "--venue", Self.venue, "--json"]
    let survey = try RunningProgram(Programs.commandLine, command + ["--config", Stage.walkConfig, "--bus", stage.bus.address])
    #expect(try survey.log.next("the beginning") == "beaconmon: the survey has begun; Ctrl-C ends it")
    try feed.write(Array(try Data(contentsOf: URL(fileURLWithPath: Stage.walk)).dropFirst(16)))
    feed.end()
    _ = try client.next("the end of the walk") { $0.saysEnded }
    survey.signal(SIGINT)
    let live = try JSON(parsing: try survey.output.next("the report"))
    #expect(try survey.exitStatus() == 0)
    let replayed = try JSON(parsing: try #require(try CommandLine([command[0], Stage.walk] + command.dropFirst()).output.first))
    // A recording names its adapter, and the capture does not.
    for key in ["from", "until", "expectation", "packets", "lostPackets", "interference", "beacons", "missing"] {
      #expect(live[key] == replayed[key], "\(key)")
    }
    daemon.signal(SIGTERM)
  }
}

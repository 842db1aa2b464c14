import Foundation
import TestSupport
import Testing

/// `beaconmon replay --score` with the shipped walks.
@Suite struct ReplayScoreTests {
  static let walks = ["straight_01", "straight_02", "straight_03", "straight_04", "rectangular_without_rotation"]

  static func arguments(_ walks: [String], _ more: String...) -> [String] {
    ["replay"] + walks.map { Programs.fixture("gallery-\($0).btsnoop") }
      + ["--score", "--beacons", Programs.fixture("gallery.beacons.csv")]
      + walks.flatMap { ["--truth", Programs.fixture("gallery-\($0).truth.csv")] } + more
  }

  @Test func `several walks are pooled into one JSON object`() throws {
    let run = try CommandLine(Self.arguments(Self.walks, "--json"))
    #expect(run.status == 0 && run.errors.isEmpty && run.output.count == 1)
    let score = try JSON(parsing: try #require(run.output.first))
    #expect(score["walks"] == 5 && score["regions"] == 12 && score["trueCrossings"] == 39)
    #expect(score["nearest"]?.number.map { $0 >= 0.5 } == true)
    #expect(score["grossFalseEntersPerMinute"]?.number.map { $0 <= 0.8 } == true)
    #expect(score["phantomExitsPerMinute"]?.number.map { $0 <= 0.3 } == true)
  }

  @Test func `the text has a line for each comparison`() throws {
    let run = try CommandLine(Self.arguments(["straight_04"]))
    #expect(run.status == 0)
    let titles = ["nearest beacon", "distance error", "accuracy covers", "12 regions", "false enters", "false exits", "enter latency"]
    #expect(run.output.count == titles.count)
    for (line, title) in zip(run.output, titles) { #expect(line.hasPrefix(title + " "), "\(line)") }
  }

  @Test func `the config determines the method and the regions`() throws {
    let folder = try TemporaryDirectory()
    let config = folder.file("beaconmon.toml")
    let uuid = "8ec76ea3-6668-48da-9866-75be8bc86f4d"
    try Data(
      "[ranging]\nmethod = \"plain\"\n[[region]]\nidentifier = \"a\"\nuuid = \"\(uuid)\"\nmajor = 1\nminor = 4\nwithin = 2.0\n".utf8
    ).write(to: URL(fileURLWithPath: config))
    func score(_ more: String...) throws -> JSON {
      try JSON(parsing: try #require(try CommandLine(Self.arguments(["straight_01"], "--json") + more).output.first))
    }
    let (plain, usual) = (try score("--config", config), try score())
    #expect(plain["regions"] == 1 && usual["regions"] == 12)
    let (before, after) = (plain["shortDistanceErrorMedian"]?.number, usual["shortDistanceErrorMedian"]?.number)
    #expect(try #require(after) < (try #require(before)))
    try Data("[ranging]\nmethod = \"plain\"\n".utf8).write(to: URL(fileURLWithPath: config))
    let method = try score("--config", config)
    #expect(method["regions"] == 12 && method["shortDistanceErrorMedian"] == plain["shortDistanceErrorMedian"])
  }

  @Test func `the survey of a venue cuts the errors of positions`() throws {
    let folder = try TemporaryDirectory()
    let venue = try String(contentsOfFile: Programs.repository("Docs/examples/venues/gallery.toml"), encoding: .utf8)
    try Data("venues = [\"gallery.toml\"]\n".utf8).write(to: URL(fileURLWithPath: folder.file("beaconmon.toml")))
    func score() throws -> JSON {
      let run = try CommandLine(Self.arguments(Self.walks, "--json") + ["--config", folder.file("beaconmon.toml")])
      return try JSON(parsing: try #require(run.output.first, "\(run.errors)"))
    }
    try Data(venue.utf8).write(to: URL(fileURLWithPath: folder.file("gallery.toml")))
    let plain = try score()
    // The fixture has further columns, and other names.
    let fixture = try String(contentsOfFile: Programs.fixture("gallery.fingerprints.csv"), encoding: .utf8)
    let survey = "x_m,y_m,z_m,minor,rssi,deviation,packets\n" + fixture.split(separator: "\n").dropFirst().joined(separator: "\n")
    try Data(survey.utf8).write(to: URL(fileURLWithPath: folder.file("survey.csv")))
    try Data("survey = \"survey.csv\"\n\(venue)".utf8).write(to: URL(fileURLWithPath: folder.file("gallery.toml")))
    let surveyed = try score()
    #expect(try #require(plain["positionErrorMean"]?.number) > 1.5)
    #expect(try #require(surveyed["positionErrorMean"]?.number) <= 1.35)
    #expect(try #require(surveyed["positionErrorP95"]?.number) <= 2.6)
    #expect((0.68...0.86).contains(try #require(surveyed["positionWithinAccuracy"]?.number)))
    #expect((0.66...0.78).contains(try #require(plain["positionWithinAccuracy"]?.number)))
  }

  @Test func `the venue of the config has the positions of the beacons, without a file of them`() throws {
    let folder = try TemporaryDirectory()
    let venue = Programs.repository("Docs/examples/venues/gallery.toml")
    func score(_ venues: String..., beacons: Bool = false) throws -> CommandLine {
      try Data("venues = [\(venues.map { "\"\($0)\"" }.joined(separator: ", "))]\n".utf8)
        .write(to: URL(fileURLWithPath: folder.file("beaconmon.toml")))
      return try CommandLine(
        [
          "replay", Programs.fixture("gallery-straight_04.btsnoop"), "--score", "--json", "--truth",
          Programs.fixture("gallery-straight_04.truth.csv"), "--config", folder.file("beaconmon.toml"),
        ] + (beacons ? ["--beacons", Programs.fixture("gallery.beacons.csv")] : []))
    }
    #expect(try score(venue).output == score(venue, beacons: true).output)
    let none = try score()
    #expect(none.status == 64 && none.errors.first?.contains("no venue of the config has beacons") == true, "\(none.errors)")
    let text = try String(contentsOfFile: venue, encoding: .utf8)
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file("copy.toml")))
    let both = try score(venue, "copy.toml")
    #expect(both.status != 0 && both.output.isEmpty, "\(both.errors)")
  }

  @Test func `a bad file of true positions is an error with its line`() throws {
    let folder = try TemporaryDirectory()
    let truth = folder.file("truth.csv")
    try Data("unix_time_s,x_m,y_m,z_m\n1581249601.4,18,8.4,1.8\n1581249601.5,18,8;4,1.8\n".utf8).write(to: URL(fileURLWithPath: truth))
    let run = try CommandLine([
      "replay", Programs.fixture("gallery-straight_01.btsnoop"), "--score", "--beacons", Programs.fixture("gallery.beacons.csv"), "--truth",
      truth,
    ])
    #expect(run.status == 65)
    #expect(run.errors == ["beaconmon: \(truth):3: y_m: \"8;4\" is not a number"])
  }

  @Test func `files that do not belong together are an error`() throws {
    let run = try CommandLine([
      "replay", Programs.fixture("gallery-straight_01.btsnoop"), "--score", "--beacons", Programs.fixture("gallery.beacons.csv"), "--truth",
      Programs.fixture("gallery-rectangular_without_rotation.truth.csv"),
    ])
    #expect(run.status == 65)
    #expect(run.errors.first?.contains("do not overlap those of") == true, "\(run.errors)")
  }

  @Test(
    arguments: [
      (["a", "b"], "several captures require --score"), (["a", "--truth", "t"], "--truth and --beacons require --score"),
      (["a", "--uncalibrated"], "--uncalibrated requires --score"), (["a", "--score"], "--score requires a --truth for each capture"),
      (["a", "--score", "--truth", "t"], "--score requires --beacons with the positions of the beacons, or a --config"),
      (["a", "--score", "--truth", "t", "--beacons", "b", "--drain"], "--drain and --summary have no effect"),
    ] as [([String], String)])
  func `options that do not belong together are refused`(arguments: [String], message: String) throws {
    let run = try CommandLine(["replay"] + arguments)
    #expect(run.status == 64)
    #expect(run.errors.joined(separator: "\n").contains(message))
  }
}

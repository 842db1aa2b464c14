import Foundation
import TestSupport
import Testing

/// `beaconmon calibrate` with the shipped walks and generated captures.
@Suite struct CalibrateTests {
  private static let straight = (1...4).map { "straight_0\($0)" }

  private func arguments(_ walks: [String], _ more: String...) -> [String] {
    ["calibrate"] + walks.map { Programs.fixture("gallery-\($0).btsnoop") } + ["--beacons", Programs.fixture("gallery.beacons.csv")]
      + walks.flatMap { ["--truth", Programs.fixture("gallery-\($0).truth.csv")] } + more
  }

  /// Returns a capture of a beacon with a constant RSSI.
  private func capture(_ folder: TemporaryDirectory, _ name: String, rssi: Int8, minors: [UInt16] = [5]) throws -> String {
    let path = folder.file(name)
    let sightings = (0..<40).flatMap { number in
      minors.flatMap { CaptureOctets.sighting(minor: $0, at: Double(number) / 2, rssi: rssi + Int8(number % 3) - 1) }
    }
    try Data(CaptureOctets.header() + sightings).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test func `offsets of four walks improve another walk as in the reference`() throws {
    let folder = try TemporaryDirectory()
    let config = folder.file("beaconmon.toml")
    try Data("# My shop.\n".utf8).write(to: URL(fileURLWithPath: config))
    func score() throws -> JSON {
      let run = try CommandLine(ReplayScoreTests.arguments(["rectangular_without_rotation"], "--json") + ["--config", config])
      return try JSON(parsing: try #require(run.output.first, "\(run.errors)"))
    }
    let before = try score()
    let run = try CommandLine(arguments(Self.straight, "--config", config, "--yes"))
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.first?.hasPrefix("path-loss exponent") == true, "\(run.output)")
    let after = try score()
    let (hits, calibratedHits) = (try #require(before["nearest"]?.number), try #require(after["nearest"]?.number))
    let (error, calibratedError) = (
      try #require(before["distanceErrorMedian"]?.number), try #require(after["distanceErrorMedian"]?.number)
    )
    // Learned offsets raise the hits from 0.48 to 0.63 of the seconds.
    #expect(calibratedHits >= hits + 0.05, "\(hits) \(calibratedHits)")
    #expect(calibratedError < error, "\(error) \(calibratedError)")
    #expect(try String(contentsOfFile: config, encoding: .utf8) == "# My shop.\n")
  }

  @Test func `standing at four distances gives exponent and power, and a second calibration keeps the first one`() throws {
    let folder = try TemporaryDirectory()
    let config = folder.file("beaconmon.toml")
    try Data("[ranging]\nmethod = \"plain\"\n".utf8).write(to: URL(fileURLWithPath: config))
    // 6 dB for each doubling is an exponent of 2.
    let files = try [("1m", -65), ("2m", -71), ("4m", -77), ("8m", -83)].map { try capture(folder, $0.0, rssi: Int8($0.1)) }
    let distances = ["--distance", "1", "--distance", "2", "--distance", "4", "--distance", "8"]
    let run = try CommandLine(["calibrate"] + files + distances + ["--config", config, "--json", "--yes"])
    #expect(run.status == 0, "\(run.errors)")
    let result = try JSON(parsing: try #require(run.output.first))
    let exponent = try #require(result["pathLossExponent"]?["value"]?.number)
    #expect(abs(exponent - 2) < 0.1, "\(exponent)")
    let dropIn = folder.file("conf.d/calibration.toml")
    let text = try String(contentsOfFile: dropIn, encoding: .utf8)
    #expect(text.contains("path-loss-exponent = ") && text.contains("minor = 5\nrssi-offset = "))
    let check = try CommandLine(["config", "show", config])
    #expect(check.status == 0 && check.output.contains { $0.contains("conf.d/calibration.toml") }, "\(check.output) \(check.errors)")
    let again = try CommandLine(["calibrate", files[0], "--distance", "1", "--config", config, "--yes"])
    #expect(
      again.status == 0 && again.output.contains { $0.hasPrefix("The distances from one beacon are too much alike (at most 1.0 m)") },
      "\(again.output)")
    #expect(try String(contentsOfFile: dropIn + ".old", encoding: .utf8) == text)
    // Values that only the previous calibration has measured stay.
    #expect(try String(contentsOfFile: dropIn, encoding: .utf8).contains("path-loss-exponent"))
    let other = try CommandLine([
      "calibrate", try capture(folder, "other", rssi: -65, minors: [6]), "--distance", "1", "--config", config, "--yes",
    ])
    #expect(other.status == 0, "\(other.errors)")
    let both = try String(contentsOfFile: dropIn, encoding: .utf8)
    #expect(both.contains("minor = 5\n") && both.contains("minor = 6\n"))
  }

  @Test func `without a terminal and without --yes nothing is written`() throws {
    let folder = try TemporaryDirectory()
    let config = folder.file("beaconmon.toml")
    let run = try CommandLine(["calibrate", try capture(folder, "1m", rssi: -65), "--distance", "1", "--config", config])
    #expect(run.status == 0 && !run.output.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: folder.file("conf.d")))
  }

  @Test func `a calibration that would make the config invalid is not written`() throws {
    let folder = try TemporaryDirectory()
    let config = folder.file("beaconmon.toml")
    try Data("[ranging]\nmethod = \"guess\"\n".utf8).write(to: URL(fileURLWithPath: config))
    let run = try CommandLine(["calibrate", try capture(folder, "1m", rssi: -65), "--distance", "1", "--config", config, "--yes"])
    #expect(run.status == 78 && run.errors.contains { $0.contains("beaconmon.toml:2") }, "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.file("conf.d/calibration.toml")))
  }

  @Test func `an offset of the receiver in the config is not part of that of a beacon`() throws {
    let folder = try TemporaryDirectory()
    let config = folder.file("beaconmon.toml")
    try Data("[ranging]\nrssi-offset = 6.0\n".utf8).write(to: URL(fileURLWithPath: config))
    let run = try CommandLine(["calibrate", try capture(folder, "1m", rssi: -65), "--distance", "1", "--config", config, "--yes", "--json"])
    let result = try JSON(parsing: try #require(run.output.first, "\(run.errors)"))
    // -65 dBm with the offset of 6 dB are the advertised -59 dBm.
    let offset = try #require(result["beacons"]?[0]?["rssiOffset"]?["value"]?.number)
    #expect(abs(offset) < 0.5, "\(offset)")
  }

  @Test func `a drop-in that is hidden by a link to a device is not replaced`() throws {
    let folder = try TemporaryDirectory()
    let config = folder.file("beaconmon.toml")
    try Data().write(to: URL(fileURLWithPath: config))
    try FileManager.default.createDirectory(atPath: folder.file("conf.d"), withIntermediateDirectories: false)
    symlink("/dev/null", folder.file("conf.d/calibration.toml"))
    let run = try CommandLine(["calibrate", try capture(folder, "1m", rssi: -65), "--distance", "1", "--config", config, "--yes"])
    #expect(run.status == 78 && run.errors.first?.contains("is not a regular file") == true, "\(run.errors)")
    var status = stat()
    #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
  }

  @Test func `a distance that is given for two captures is mentioned`() throws {
    let folder = try TemporaryDirectory()
    let files = try [("a", -65), ("b", -67), ("c", -71)].map { try capture(folder, $0.0, rssi: Int8($0.1)) }
    let run = try CommandLine(["calibrate"] + files + ["--distance", "1", "--distance", "1", "--distance", "2"])
    #expect(run.output.contains { $0.hasPrefix("Beacon 1/5 was measured 2 times at 1.0 m: their mean counts") }, "\(run.output)")
  }

  @Test func `several beacons at one distance are refused with the options that choose one`() throws {
    let folder = try TemporaryDirectory()
    let run = try CommandLine(["calibrate", try capture(folder, "1m", rssi: -65, minors: [5, 6]), "--distance", "1"])
    #expect(run.status == 64)
    #expect(run.errors.first?.contains("contains 2 such beacons; choose the one at the distance") == true, "\(run.errors)")
  }

  @Test(
    arguments: [
      (["a"], "give --truth with --beacons, or --distance"), (["a", "--distance=-1"], "is not a distance of 0.25 to 100 m"),
      (["a", "--distance", "nan"], "is not a distance"), (["a", "b", "--distance", "1"], "there are 2 captures and 1 of them"),
      (["a", "--truth", "t"], "--truth and --beacons require each other"),
      (["a", "--truth", "t", "--beacons", "b", "--minor", "1"], "--uuid, --major and --minor require --distance"),
    ] as [([String], String)])
  func `options that do not belong together are refused by calibrate`(arguments: [String], message: String) throws {
    let run = try CommandLine(["calibrate"] + arguments)
    #expect(run.status == 64)
    #expect(run.errors.first?.contains(message) == true, "\(run.errors)")
  }

  @Test func `true times that do not overlap the capture are an error`() throws {
    let run = try CommandLine([
      "calibrate", Programs.fixture("gallery-straight_01.btsnoop"), "--beacons", Programs.fixture("gallery.beacons.csv"), "--truth",
      Programs.fixture("gallery-rectangular_without_rotation.truth.csv"),
    ])
    #expect(run.status == 65)
    #expect(run.errors.first?.contains("Z, do not overlap those of ") == true, "\(run.errors)")
  }
}

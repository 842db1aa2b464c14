import Foundation
import TestSupport
import Testing

/// Circles on the command line: `region add circle`, and a recorded walk through one.
@Suite struct CircleCommandTests {
  static let circle = ["--latitude", "50.252432", "--longitude", "8.50997", "--radius", "50"]

  private func config(_ folder: TemporaryDirectory, _ text: String) throws -> String {
    let path = "\(folder.path)/beaconmon.toml"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test func `a walk through a circle has the same events each time, by the receiver's clock`() throws {
    let folder = try TemporaryDirectory()
    let file = try config(folder, "# mine\n")
    #expect(try CommandLine(["region", "add", "circle", "stop", "--config", file] + Self.circle).status == 0)
    let arguments = ["replay", Programs.fixture("walk.nmea"), "--config", file, "--json", "--drain", "--summary"]
    let run = try CommandLine(arguments)
    let events = try run.output.map { try JSON(parsing: $0) }
    // The walk starts 54.8 m before the center and comes 3.65 m nearer every second. From its fourth fix on, it is inside by more than its
    // accuracy of 4.0 m.
    #expect(events.map { $0["event"]?.text } == ["enter", "state"])
    #expect(events.map { $0["time"]?.text } == ["2025-06-01T12:00:23.000000Z", "2025-06-01T12:05:29.000000Z"])
    #expect(events.map { $0["reason"]?["cause"]?.text } == ["approach", "locationLost"])
    #expect(events.allSatisfy { $0["kind"]?.text == "circle" && $0["proximity"] == nil })
    let boundary = try #require(events.first?["boundaryDistance"]?.number)
    // The deciding fix is the one before, 25.5 m beyond the center.
    #expect(abs(boundary - (25.5 - 50)) < 0.5)
    #expect(run.errors.contains { $0.hasPrefix("fixes ") && $0.hasSuffix(" 30") })
    #expect(try CommandLine(arguments).output == run.output)
  }

  @Test func `the time of a walk continues while the receiver has no fix and still sends the time`() throws {
    let folder = try TemporaryDirectory()
    let file = try config(folder, "")
    #expect(try CommandLine(["region", "add", "circle", "stop", "--config", file] + Self.circle).status == 0)
    let fixes = try String(contentsOfFile: Programs.fixture("walk.nmea"), encoding: .utf8).split(separator: "\r\n")
      .prefix { !$0.contains(",120006.00,") }
    let silence = (6...65).map { second in
      Walk.sentence("GNRMC,12\(second < 60 ? "00" : "01")\(second % 60 < 10 ? "0" : "")\(second % 60).00,V,,,,,,,010625,,,N")
    }
    let walk = folder.file("walk.nmea")
    try (fixes.map { $0 + "\r\n" } + silence).joined().write(toFile: walk, atomically: true, encoding: .utf8)
    // Without --drain, the enter comes 20 s after the third second, when only the time is known.
    let run = try CommandLine(["replay", walk, "--config", file, "--json", "--summary"])
    let events = try run.output.map { try JSON(parsing: $0) }
    #expect(events.map { $0["event"]?.text } == ["enter"])
    #expect(events.first?["time"]?.text == "2025-06-01T12:00:23.000000Z")
    #expect(run.errors.contains { $0.hasPrefix("fixes ") && $0.hasSuffix(" 6") }, "\(run.errors)")
    #expect(run.errors.contains { $0.hasPrefix("seconds of the walk ") && $0.hasSuffix(" 65.000") }, "\(run.errors)")
  }

  @Test func `a circle without a location source has a warning when it is added and when the config is checked`() throws {
    let folder = try TemporaryDirectory()
    let file = try config(folder, "# mine\n")
    let doubt = "\(file):3: warning: region \"stop\": no location source is configured; add one such as [location.gpsd]"
    #expect(try CommandLine(["region", "add", "circle", "stop", "--config", file] + Self.circle).output.last == doubt)
    let check = try CommandLine(["config", "check", file])
    #expect((check.output, check.status) == (["\(file): valid, 1 region, 0 actions, 1 warning", doubt], 0))
  }

  @Test func `a walk without circles, and a file without fixes, are refused with a reason`() throws {
    let walk = Programs.fixture("walk.nmea")
    let bare = try CommandLine(["replay", walk])
    #expect(bare.status == 64 && bare.errors.count == 1)
    let folder = try TemporaryDirectory()
    let file = try config(folder, "")
    #expect(try CommandLine(["region", "add", "circle", "stop", "--config", file] + Self.circle).status == 0)
    let empty = "\(folder.path)/empty.nmea"
    try "hello\n".write(toFile: empty, atomically: true, encoding: .utf8)
    let wrong = "\(folder.path)/wrong.nmea"
    let sentences = try String(contentsOfFile: walk, encoding: .utf8).split(separator: "\r\n").map { line in
      Walk.sentence(String(line.dropFirst().prefix { $0 != "*" }).replacing("5015", with: "9515"))
    }
    try sentences.joined().write(toFile: wrong, atomically: true, encoding: .utf8)
    let refused = try CommandLine(["replay", wrong, "--config", file])
    #expect(refused.errors == ["beaconmon: \(wrong): 30 of 30 fixes were refused: 30 latitude"] && refused.status == 0)
    let run = try CommandLine(["replay", empty, "--config", file])
    #expect(run.status == 65)
    #expect(
      run.errors == [
        "beaconmon: \(empty): line 1: no line so far is NMEA 0183 or JSON of gpsd; record a walk with \"gpspipe -r > walk.nmea\""
      ])
  }

  @Test func `a circle is appended to the config, and the file keeps its mode`() throws {
    let folder = try TemporaryDirectory()
    let before = "# my own words\nsource = \"hci\""
    let file = try config(folder, before)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
    let run = try CommandLine(
      ["region", "add", "circle", "the \"shop\"", "--config", file, "--dwell", "10m", "--scan-only-near"] + Self.circle)
    #expect(run.status == 0)
    #expect(run.output.first == "the \"shop\": added to \(file); `systemctl reload beaconmond` applies it")
    #expect(
      try String(contentsOfFile: file, encoding: .utf8) == """
        # my own words
        source = "hci"

        [[region]]
        identifier = "the \\"shop\\""
        latitude = 50.252432
        longitude = 8.50997
        radius = 50.0
        dwell = "10m"
        scan-only-near = true

        """)
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o640)
    #expect(try CommandLine(["config", "check", file]).status == 0)
  }

  @Test(
    arguments: [
      (
        ["--latitude", "91", "--longitude", "0", "--radius", "5"], 64,
        "latitude: 91 is not between -90 and 90; are latitude and longitude swapped?"
      ),
      (["--latitude", "-33", "--longitude", "0", "--radius", "0"], 64, "radius: 0 is not between 1 and 20000000"),
      (["--latitude", "-33", "--longitude", "0", "--radius", "nan"], 64, "radius: nan is not between 1 and 20000000"),
    ] as [([String], Int32, String)])
  func `an invalid circle is refused, and the file stays unchanged`(place: [String], status: Int32, reason: String) throws {
    let folder = try TemporaryDirectory()
    let file = try config(folder, "# mine\n")
    let run = try CommandLine(["region", "add", "circle", "a", "--config", file] + place)
    #expect(run.status == status && run.errors == ["beaconmon: \(reason)"])
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "# mine\n")
  }

  @Test func `a name in use is refused with the line of the other region, and the file stays unchanged`() throws {
    let folder = try TemporaryDirectory()
    let file = try config(folder, "# mine\n")
    let add = ["region", "add", "circle", "stop", "--config", file] + Self.circle
    #expect(try CommandLine(add).status == 0)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let again = try CommandLine(add)
    #expect(again.status == 78)
    #expect(again.errors.first?.contains("is already used by the region in line 4; choose another one") == true)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
    #expect(try CommandLine(["region", "add", "circle", "b", "--config", "\(folder.path)/none.toml"] + Self.circle).status == 66)
  }
}

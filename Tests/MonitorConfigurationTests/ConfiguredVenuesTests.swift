import Foundation
import Glibc
import Locations
import MonitorConfiguration
import Testing
import Venues

/// The key `venues` of beaconmon.toml, with the files that it names.
@Suite struct ConfiguredVenuesTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "beaconmon-venues-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func write(_ name: String, _ text: String) throws {
    try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
  }

  private func read(_ config: String) throws -> ConfigurationDocument {
    defer { try? FileManager.default.removeItem(at: folder) }
    try write("beaconmon.toml", config)
    return try ConfigurationDocument.read(file: folder.appending(path: "beaconmon.toml").path)
  }

  /// Returns the message of the error with FOLDER for the folder of the test.
  private func error(_ config: String) -> String? {
    #expect(throws: ConfigurationError.self) { try read(config) }?.description.replacing(folder.path, with: "FOLDER")
  }

  private static func venue(minor: Int, _ more: String = "") -> String {
    "format = 1\nuuid = \"\(galleryUUID)\"\n\(more)[[beacon]]\nmajor = 1\nminor = \(minor)\nposition = [1, 2]\n"
  }

  @Test func `venues are read relative to the folder of the config`() throws {
    try write("north.toml", Self.venue(minor: 1))
    try write("south.toml", Self.venue(minor: 2, "colour = 1\n"))
    let document = try read("venues = [\"north.toml\", \"\(folder.path)/south.toml\"]\nlanguage = [\"de\", \"en\"]")
    #expect(document.configuration.venues.map(\.id) == ["north", "south"])
    #expect(document.configuration.languages == ["de", "en"])
    #expect(document.venues.map { $0.warnings.map(\.line) } == [[], [3]])
  }

  @Test(arguments: [
    ("place = \"hall\"", nil), ("level = \"ground\"\nvenue = \"north\"", nil),
    ("place = \"hal\"", "place: no venue has \"hal\"; did you mean \"hall\"?"),
    ("level = \"cellar\"", "level: no venue has \"cellar\"; add it to a venue file, and the file to venues"),
    ("level = \"ground\"\nvenue = \"south\"", "venue: no file in venues has the id \"south\"; correct it, or add the file to venues"),
  ])
  func `a region whose place no venue has is a warning in its line`(keys: String, message: String?) throws {
    try write("north.toml", Self.venue(minor: 1) + "[[place]]\nid = \"hall\"\nposition = [1, 2]\n")
    let document = try read("venues = [\"north.toml\"]\n[[region]]\nidentifier = \"room\"\n\(keys)")
    #expect(document.warnings.map(\.message) == message.map { ["region \"room\": \($0)"] } ?? [])
    #expect(document.warnings.allSatisfy { $0.line == 2 })
  }

  @Test func `a receiver that never moves has the location of its place in the venue`() throws {
    try write("north.toml", Self.venue(minor: 1) + "[frame]\nlatitude = 48.0\nlongitude = 11.0\nbearing = 0\n")
    let configuration = try read("venues = [\"north.toml\"]\n[receiver]\nposition = [0, 111.2]\nlevel = \"ground\"").configuration
    #expect(configuration.receiver == FixedReceiver(position: PlanPoint(x: 0, y: 111.2), level: "ground"))
    let fixed = try #require(configuration.location.fixed)
    #expect(abs(fixed.latitude - 48.001) < 1e-5 && abs(fixed.longitude - 11) < 1e-9)
    #expect(fixed.horizontalAccuracy == 1 && fixed.floor == 0)
  }

  @Test(arguments: ["", "[frame]\nlatitude = 48.0\nlongitude = 11.0\nbearing = 0\n"])
  func `a receiver in a venue without a place on the earth does not suffice for a device without beacons`(frame: String) throws {
    try write("north.toml", Self.venue(minor: 1) + frame)
    let receiver = "source = \"none\"\nvenues = [\"north.toml\"]\n[receiver]\nposition = [0, 1]\nlevel = \"ground\"\n"
    if frame.isEmpty {
      #expect(error(receiver) == "FOLDER/beaconmon.toml: source: \(Configuration.hasNothingToDo)")
    } else {
      #expect(try read(receiver).configuration.worksWithoutBeacons)
    }
  }

  @Test(arguments: [
    ("venues = [\"north.toml\"]", "level = \"attic\"", "level: the venue has no level \"attic\""),
    (
      "venues = [\"north.toml\"]", "venue = \"gallery\"",
      "venue: no file in venues has the id \"gallery\"; correct it, or add the file to venues"
    ),
    ("venues = [\"north.toml\", \"south.toml\"]", "", "venue is required, because there are several: north, south"),
    ("", "", "there is no venue; add its file to venues"),
  ])
  func `a receiver without a place in a venue is an error in its line`(venues: String, keys: String, message: String) throws {
    try write("north.toml", Self.venue(minor: 1))
    try write("south.toml", Self.venue(minor: 2))
    let line = venues.isEmpty ? 1 : 2
    let text = "\(venues)\(venues.isEmpty ? "" : "\n")[receiver]\nposition = [1, 2]\n\(keys)"
    #expect(error(text) == "FOLDER/beaconmon.toml:\(line): receiver: \(message)")
  }

  @Test(arguments: [
    ("[5.5, 3]", nil),
    (
      "[70, 3]",
      "receiver: position: [70, 3] is more than 2 m outside the walkable areas of level \"ground\"; correct the position or the level"
    ),
  ])
  func `a receiver outside the areas of its level is a warning in its line`(position: String, message: String?) throws {
    let level = "[[level]]\nid = \"ground\"\nwalkable = [[[0, 0], [4, 0], [4, 4], [0, 4]]]\n"
    try write("north.toml", "format = 1\n" + level)
    let document = try read("venues = [\"north.toml\"]\n[receiver]\nposition = \(position)")
    #expect(document.warnings.map(\.message) == [message].compactMap(\.self))
    #expect(document.warnings.allSatisfy { $0.line == 2 })
  }

  @Test func `an error in a venue is an error of the config, with the line of the venue`() throws {
    try write("north.toml", Self.venue(minor: 70_000))
    try write("south.toml", "format =")
    let message = try #require(error("venues = [\"north.toml\", \"south.toml\"]")).split(separator: "\n")
    #expect(message.count == 2)
    #expect(message.first == "FOLDER/north.toml:5: beacon 1: minor: 70000 is not between 0 and 65535")
    #expect(message.last?.hasPrefix("FOLDER/south.toml:1:") == true)
  }

  @Test func `a missing venue is an error in the line of its key`() {
    #expect(
      error("\nvenues = [\"nowhere.toml\"]")
        == "FOLDER/beaconmon.toml:2: venues: FOLDER/nowhere.toml: cannot be read: No such file or directory; check the path")
  }

  @Test func `two venues with the same beacon are refused`() throws {
    try write("north.toml", Self.venue(minor: 1))
    try write("south.toml", Self.venue(minor: 1))
    #expect(
      error("venues = [\"north.toml\", \"south.toml\"]")
        == "FOLDER/south.toml:3: beacon \(galleryUUID)/1/1: is a duplicate of the beacon in FOLDER/north.toml; remove one of them")
  }

  @Test func `two venues with the same id are refused`() throws {
    try write("north.toml", Self.venue(minor: 1, "id = \"hall\"\n"))
    try write("south.toml", Self.venue(minor: 2, "id = \"hall\"\n"))
    #expect(
      error("venues = [\"north.toml\", \"south.toml\"]")
        == "FOLDER/beaconmon.toml:1: venues: FOLDER/south.toml and FOLDER/north.toml have the same id \"hall\"; write another id in one of them"
    )
  }

  @Test(arguments: [
    ("venues = \"a.toml\"", "venues: must be a list such as [\"gallery.toml\"], not a text"),
    ("venues = [\"a.toml\", \"a.toml\"]", "venues: has \"a.toml\" twice; remove one of them"),
    ("venues = [\"\"]", "venues: contains no file; write the path of a venue file, such as \"gallery.toml\""),
    ("language = \"german!\"", "language: \"german!\" is not a language; write a tag such as \"de\" or \"pt-BR\""),
  ])
  func `a wrong list of venues is refused`(_ config: String, _ message: String) {
    #expect(error(config) == "FOLDER/beaconmon.toml:1: \(message)")
  }

  @Test func `the files of a place are in the folder of the venue`() throws {
    try write(
      "north.toml", Self.venue(minor: 1) + "[[place]]\nid = \"a\"\nbeacon = [1, 1]\nimage = \"a.jpg\"\naudio = \"https://example.org/a\"\n")
    let place = try #require(try read("venues = [\"north.toml\"]").configuration.venues.first?.places.first)
    #expect((place.image, place.audio.text) == ("\(folder.path)/a.jpg", "https://example.org/a"))
  }

  @Test func `text alone reads no venue`() throws {
    #expect(try Configuration.parse(text: "venues = [\"/nowhere\"]", name: "t").venues.isEmpty)
  }
}

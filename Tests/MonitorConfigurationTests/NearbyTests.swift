import Foundation
import Geodesy
import MonitorConfiguration
import TestSupport
import Testing
import Venues

/// The app or page of a venue file, its circle, and its references to this machine.
@Suite struct NearbyTests {
  private static let head = "format = 1\nuuid = \"\(galleryUUID)\"\n"

  private func venue(_ text: String) throws -> Venue { try VenueDocument.parse(text: Self.head + text, name: "t").venue }

  @Test func `an app, a page and texts in languages are read, and written to the same venue`() throws {
    let venue = try venue(
      """
      imported = true
      [frame]
      latitude = 48
      longitude = 11
      radius = 120
      [nearby]
      app = "org.example.Guide.desktop"
      url = "https://example.org/gallery"
      title = { en = "Welcome", de = "Willkommen" }
      text = "Take the tour."
      """)
    #expect(venue.isImported && venue.radius == 120)
    #expect(
      venue.nearby
        == VenueOffer(
          app: .desktopFile("org.example.Guide"), page: "https://example.org/gallery", title: ["en": "Welcome", "de": "Willkommen"],
          text: "Take the tour."))
    #expect(try VenueDocument.parse(text: venue.toml, name: "t").venue == venue)
  }

  @Test func `an app on the bus can have an action`() throws {
    let venue = try venue("[nearby]\nbus-name = \"org.example.Guide\"\naction = \"open-venue\"\n")
    #expect(venue.nearby == VenueOffer(app: .busName("org.example.Guide", action: "open-venue")))
    #expect(try VenueDocument.parse(text: venue.toml, name: "t").venue == venue)
  }

  @Test(arguments: [
    ("url = \"http://example.org\"", "4: nearby: url: \"http://example.org\" is not an https address"),
    ("url = \"javascript:alert(1)\"", "4: nearby: url: \"javascript:alert(1)\" is not an https address"),
    ("url = \"https://a@b.org\"", "has no plain host"),
    ("app = \"../evil\"", "4: nearby: app: \"../evil\" is not the name of a desktop file"),
    ("app = \"-x\"", "is not the name of a desktop file"),
    ("app = \"a b\"", "is not the name of a desktop file"),
    ("bus-name = \"guide\"", "4: nearby: bus-name: \"guide\" is not the name of an app on the bus"),
    ("bus-name = \"org.example.Guide\"\naction = \"rm -rf\"", "5: nearby: action: \"rm -rf\" is not the name of an action"),
    ("action = \"open\"\nurl = \"https://example.org\"", "4: nearby: action: requires bus-name"),
    ("app = \"a.b\"\nbus-name = \"a.b\"", "5: nearby: bus-name: is for an app without a desktop file"),
    ("title = \"Hello\"", "3: nearby: missing key \"url\"; name an app, a bus-name or a url"),
    ("url = \"https://example.org\"\ntitle = \"a\\u202Eb\"", "5: nearby: title:"),
    ("url = \"https://example.org\"\ntitle = \"<b>Hi</b>\"", "5: nearby: title: contains the markup"),
    ("url = \"https://example.org\"\ntext = \"a\\u0007\"", "5: nearby: text:"),
  ])
  func `a wrong offer names the line, the key and the remedy`(keys: String, message: String) {
    let error = #expect(throws: ConfigurationError.self) { try venue("[nearby]\n" + keys) }
    #expect(error.map { "\($0)".contains(message) } == true, "\(error.map { "\($0)" } ?? "")")
  }

  // MARK: Circle

  @Test func `the circle of a venue contains its outline and a margin of 50 m, unless the file states another one`() throws {
    let text =
      "[frame]\nlatitude = 48\nlongitude = 11\n[[level]]\nid = \"ground\"\nordinal = 0\nwalkable = [[[0, 0], [30, 0], [30, 40], [0, 40]]]\n"
    let circle = try #require(try venue(text).circle)
    #expect(abs(circle.radius - 75) < 0.01)
    #expect(try venue(text.replacing("longitude = 11\n", with: "longitude = 11\nradius = 20\n")).circle?.radius == 20)
    #expect(try venue("[[beacon]]\nmajor = 1\nminor = 1\nposition = [0, 0]\n").circle == nil)
  }

  // MARK: This machine

  private func warnings(_ text: String, in folder: TemporaryDirectory) throws -> [String] {
    let path = folder.file("t.toml")
    try Data((Self.head + text).utf8).write(to: URL(fileURLWithPath: path))
    return try VenueDocument.read(file: path).machineWarnings(environment: [
      "XDG_DATA_HOME": folder.file("data"), "XDG_DATA_DIRS": "/nowhere",
    ])
    .map { "\($0)".replacing(folder.path, with: "F") }
  }

  @Test func `pictures and recordings that are missing have a warning with their line`() throws {
    let folder = try TemporaryDirectory()
    try Data().write(to: URL(fileURLWithPath: folder.file("here.jpg")))
    let text = """
      [[place]]
      id = "a"
      position = [0, 0]
      image = "here.jpg"
      audio = { en = "en.ogg", de = "https://example.org/de.ogg" }
      [[place]]
      id = "b"
      position = [0, 0]
      image = "b.jpg"
      """
    #expect(
      try warnings(text, in: folder) == [
        "F/t.toml:7: place \"a\": audio: there is no file F/en.ogg; check the path",
        "F/t.toml:11: place \"b\": image: there is no file F/b.jpg; check the path",
      ])
  }

  @Test func `a plan picture that is missing has a warning with its line`() throws {
    let folder = try TemporaryDirectory()
    let text = "[[level]]\nid = \"ground\"\nordinal = 0\nplan = { image = \"ground.png\", size = [10, 10] }\n"
    #expect(try warnings(text, in: folder).map { $0.hasPrefix("F/t.toml:6: ") && $0.contains("there is no file F/ground.png") } == [true])
  }

  @Test(arguments: [("app = \"org.example.Guide\"", "applications"), ("bus-name = \"org.example.Guide\"", "dbus-1/services")])
  func `an app that is not installed has a warning with its line`(key: String, place: String) throws {
    let folder = try TemporaryDirectory()
    let missing = try warnings("[nearby]\n" + key, in: folder)
    #expect(missing.count == 1 && missing[0].hasPrefix("F/t.toml:4: nearby: ") && missing[0].contains("is installed here"))
    let installed = folder.file("data/\(place)")
    try FileManager.default.createDirectory(atPath: installed, withIntermediateDirectories: true)
    let name = place == "applications" ? "org.example.Guide.desktop" : "org.example.Guide.service"
    try Data().write(to: URL(fileURLWithPath: "\(installed)/\(name)"))
    #expect(try warnings("[nearby]\n" + key, in: folder).isEmpty)
  }

  @Test func `many missing files have a few warnings and their number`() throws {
    let folder = try TemporaryDirectory()
    let text = (1...100).map { "[[place]]\nid = \"p\($0)\"\nposition = [0, 0]\nimage = \"\($0).jpg\"\n" }.joined()
    let found = try warnings(text, in: folder)
    #expect(found.count == 21 && found.last?.hasSuffix("and 80 more files or apps that are missing") == true)
  }
}

import ConfigurationTree
import Events
import Instants
import MonitorConfiguration
import Regions
import Testing

@Suite struct PlaceConfigurationTests {
  private static func regions(_ keys: String) throws -> [Region] {
    try Configuration.parse(text: "[[region]]\nidentifier = \"room\"\n" + keys, name: "t").regions
  }

  @Test func `every key of a place is read`() throws {
    let keys =
      "venue = \"gallery\"\nplace = \"room-5\"\ndwell = \"2m\"\nassume = \"outside\"\nnotify-on-entry = false\nnotify-on-exit = false"
    let expected = PlaceRegion(
      identifier: "room", area: VenueArea(.place("room-5"), venue: "gallery"), dwell: .seconds(120), assumed: .outside,
      notifyOnEntry: false,
      notifyOnExit: false)
    #expect(try Self.regions(keys) == [.place(expected)])
  }

  @Test(arguments: [
    "place = \"room-5\"", "level = \"first\"\nvenue = \"gallery\"", "venue = \"gallery\"",
    "place = \"a \\\"b\\\"\"\ndwell = \"90s\"\nassume = \"inside\"",
  ])
  func `a place that is written is read as the same place`(keys: String) throws {
    let region = try #require(try Self.regions(keys).first?.placeRegion)
    #expect(try Configuration.parse(text: region.toml, name: "t").regions == [.place(region)])
  }

  @Test func `a program defines a place with the keys of the config`() throws {
    let definition: [String: ConfigurationNode.Value] = [
      "identifier": .text("room"), "level": .text("first"), "notifyOnExit": .flag(false),
    ]
    let region = try Region(definition: definition.mapValues { ConfigurationNode($0) }, owner: .session(1))
    #expect(region == .place(PlaceRegion(identifier: "room", owner: .session(1), area: VenueArea(.level("first")), notifyOnExit: false)))
  }

  @Test(arguments: [
    ("venue = \"\"", "3: region \"room\": venue: is empty; write a name for the venue, such as \"gallery\""),
    (
      "place = \"a\"\nlevel = \"b\"",
      "4: region \"room\": level: is for a region that is a whole level; a place knows its level, so remove one"
    ),
    (
      "place = \"a\"\nuuid = \"\(galleryUUID)\"",
      "3: region \"room\": place: is a key of a place in a venue, but this region has a uuid; define two regions"
    ),
    (
      "place = \"a\"\nradius = 5\nlatitude = 1\nlongitude = 1",
      "5: region \"room\": latitude: is a key of a circle, but this region has a place; define two regions"
    ),
    ("place = \"\"", "3: region \"room\": place: is empty; write a name for the place, such as \"room-5\""),
    ("place = 5", "3: region \"room\": place:"),
    ("place = \"a\"\nwithin = 3", "4: region \"room\": unknown key \"within\""),
  ])
  func `a wrong definition names the line, the key and the remedy`(keys: String, message: String) {
    let error = #expect(throws: ConfigurationError.self) { try Self.regions(keys) }
    #expect(error.map { "\($0)".contains(message) } == true, "\(error.map { "\($0)" } ?? "")")
  }
}

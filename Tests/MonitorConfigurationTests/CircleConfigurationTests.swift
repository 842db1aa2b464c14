import ConfigurationTree
import Events
import Geodesy
import Instants
import MonitorConfiguration
import Regions
import Testing

@Suite struct CircleConfigurationTests {
  static let shop = "[[region]]\nidentifier = \"shop\"\nlatitude = 48.137154\nlongitude = 11.57549\n"

  @Test func `every key of a circle is read`() throws {
    let text =
      Self.shop
      + "radius = 150\ndwell = \"2m\"\nassume = \"outside\"\nnotify-on-entry = false\nnotify-on-exit = false\n"
      + "scan-only-near = true\nscan-only-below = 2.5"
    let center = try #require(Coordinate(latitude: 48.137154, longitude: 11.57549))
    let expected = CircularRegion(
      identifier: "shop", circle: try #require(Circle(center: center, radius: 150)), dwell: .seconds(120), assumed: .outside,
      notifyOnEntry: false, notifyOnExit: false, gate: CircularRegion.Gate(mostSpeed: 2.5))
    #expect(try Configuration.parse(text: text, name: "t").regions == [.circle(expected)])
  }

  @Test(arguments: [
    "", "dwell = \"2m\"\nassume = \"inside\"",
    "notify-on-entry = false\nnotify-on-exit = false\nscan-only-near = true\nscan-only-below = 2.5",
  ])
  func `a circle that is written is read as the same circle`(more: String) throws {
    let region = try #require(try Configuration.parse(text: Self.shop + "radius = 150.5\n" + more, name: "t").regions.first?.circularRegion)
    #expect(try Configuration.parse(text: region.toml, name: "t").regions == [.circle(region)])
  }

  @Test func `a program defines a circle with the keys of the config`() throws {
    let definition: [String: ConfigurationNode.Value] = [
      "identifier": .text("shop"), "latitude": .number(48.137154), "longitude": .number(11.57549), "radius": .integer(150),
    ]
    let region = try Region(definition: definition.mapValues { ConfigurationNode($0) }, owner: .session(1))
    let twin = try #require(try Configuration.parse(text: Self.shop + "radius = 150", name: "t").regions.first)
    #expect(region.mark == twin.mark && region.kind == .circle && region.owner == .session(1))
  }

  @Test(
    arguments: [
      ("radius = 0", "5: region \"shop\": radius: 0 is not between 1 and 20000000"),
      ("radius = 30_000_000", "5: region \"shop\": radius: 30000000 is not between 1 and 20000000"),
      ("radius = nan", "5: region \"shop\": radius: nan is not between 1 and 20000000"),
      ("", "1: region \"shop\": missing key \"radius\""),
      (
        "radius = 5\nuuid = \"\(galleryUUID)\"",
        "3: region \"shop\": latitude: is a key of a circle, but this region has a uuid; define two regions"
      ),
      (
        "radius = 5\nscan-only-below = 3",
        "6: region \"shop\": scan-only-below: requires scan-only-near = true; without it, the circle does not affect scanning"
      ),
      (
        "radius = 5\nexit-delay = \"30s\"",
        "6: region \"shop\": unknown key \"exit-delay\"; the keys here are identifier, latitude, longitude, radius, dwell, assume, notify-on-entry, notify-on-exit, scan-only-near, scan-only-below"
      ),
    ])
  func `an invalid circle is reported with its line`(lines: String, problem: String) {
    let error = #expect(throws: ConfigurationError.self) { try Configuration.parse(text: Self.shop + lines, name: "t") }
    #expect(error?.description == "t:\(problem)")
  }

  @Test(arguments: [("91", "11"), ("-90.1", "11"), ("48", "181"), ("\"48\"", "11")])
  func `a position that is not on the earth is refused`(latitude: String, longitude: String) {
    let text = "[[region]]\nidentifier = \"a\"\nlatitude = \(latitude)\nlongitude = \(longitude)\nradius = 5"
    #expect(throws: ConfigurationError.self) { try Configuration.parse(text: text, name: "t") }
  }
}

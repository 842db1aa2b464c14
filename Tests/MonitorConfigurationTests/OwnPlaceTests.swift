import Geodesy
import MonitorConfiguration
import Testing
import Venues

/// The tables `[[place]]` of beaconmon.toml.
@Suite struct OwnPlaceTests {
  private static let office = """
    [[place]]
    name = { en = "Office", de = "Büro" }
    latitude = 52.5201
    longitude = 13.4049
    radius = 60

    """

  private func error(_ text: String) -> String? {
    #expect(throws: ConfigurationError.self) { try Configuration.parse(text: text, name: "t") }?.description
  }

  @Test func `an own place has names and a circle`() throws {
    let place = try #require(Configuration.parse(text: Self.office, name: "t").places.first)
    #expect(place.name == ["en": "Office", "de": "Büro"])
    let center = try #require(Coordinate(latitude: 52.5201, longitude: 13.4049))
    #expect(place.circle == Circle(center: center, radius: 60))
  }

  @Test(arguments: [
    ("radius = 60", "radius = 0", "t:5: place \"Office\": radius: 0 is not between 1 and 100000"),
    ("latitude = 52.5201\n", "", "t:1: place \"Office\": missing key \"latitude\""),
    ("latitude = 52.5201", "latitude = nan", "t:3: place \"Office\": latitude: "),
    ("radius = 60", "radius = 60\nid = 1", "t:6: place \"Office\": unknown key \"id\""),
    ("\"Büro\"", "\"<b>Büro\"", "t:2: place 1: name: de: contains the markup"),
  ])
  func `an invalid own place is an error with its line`(old: String, new: String, message: String) {
    let found = error(Self.office.replacing(old, with: new))
    #expect(found?.hasPrefix(message) == true, "\(found ?? "")")
  }
}

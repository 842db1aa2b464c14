import Geodesy
import Testing
import Venues

@Suite struct SearchTests {
  private static func place(
    _ id: String, _ x: Double, _ kind: Place.Kind = .exhibit, title: LocalizedText = LocalizedText(), text: LocalizedText = LocalizedText()
  )
    -> Place
  {
    Place(id: id, kind: kind, position: PlanPoint(x: x, y: 0), title: title, text: text)
  }

  private static let catalogue = Catalogue([
    Venue(
      id: "gallery",
      places: [
        place("sextant", 0, title: ["en": "Sextant"], text: ["en": "Two mirrors beside a lodestone."]),
        place("lodestone", 10, title: ["en": "Lodestone", "de": "Magnetstein"]),
        place("table", 20, title: ["en": "Table of lodestones"]),
        place("shop", 30, .shop),
      ])
  ])

  private func ids(_ found: [Catalogue.Found]) -> [String] { found.map(\.place.id) }

  @Test(arguments: [
    ("lodestone", ["lodestone", "table", "sextant"]), ("LODE", ["lodestone", "table", "sextant"]), ("magnet", ["lodestone"]),
    ("stone", ["lodestone", "table", "sextant"]), ("table lodestones", ["table"]), ("unicorn", []), ("lodestone unicorn", []),
    ("", ["sextant", "lodestone", "table", "shop"]), ("shop", ["shop"]),
  ])
  func `titles count more than texts, and beginnings more than middles`(_ text: String, _ expected: [String]) {
    #expect(ids(Self.catalogue.search(text, limit: 10)) == expected)
  }

  @Test func `a search can be limited to a kind and a number`() {
    #expect(ids(Self.catalogue.search("", kind: .shop, limit: 10)) == ["shop"])
    #expect(ids(Self.catalogue.search("", limit: 2)) == ["sextant", "lodestone"])
    #expect(ids(Self.catalogue.search("", limit: -1)).isEmpty)
  }

  @Test func `the nearest place is first, at its distance`() {
    let found = Self.catalogue.places(near: PlanPoint(x: 12, y: 0), in: 0, limit: 2)
    #expect(ids(found) == ["lodestone", "table"])
    #expect(found.map(\.distance) == [2, 8])
    #expect(Self.catalogue.places(near: PlanPoint(x: 12, y: 0), in: 0, level: "roof", limit: 2).isEmpty)
    #expect(Self.catalogue.places(near: PlanPoint(x: 12, y: 0), in: 5, limit: 2).isEmpty)
  }

  @Test func `a venue that is not on the earth has no places near a coordinate`() throws {
    let origin = try #require(Coordinate(latitude: 48, longitude: 11))
    #expect(Self.catalogue.places(near: origin, limit: 3).isEmpty)
    var venue = Self.catalogue.venues[0]
    venue.frame = VenueFrame(origin: origin, bearing: 90)
    #expect(ids(Catalogue([venue]).places(near: origin, limit: 1)) == ["sextant"])
  }

  @Test func `a place with an area is as near as its edge`() throws {
    var place = Self.place("room", 0)
    place.area = PlanPolygon(from: PlanPoint(x: -5, y: -5), to: PlanPoint(x: 5, y: 5))
    #expect(place.distance(from: PlanPoint(x: 7, y: 0)) == 2)
    #expect(place.distance(from: PlanPoint(x: 4, y: 0)) == 0)
  }
}

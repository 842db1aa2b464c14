import Geodesy
import Testing
import Venues

@Suite struct PlacemarkTests {
  private static func rectangle(_ a: (Double, Double), _ b: (Double, Double)) throws -> PlanPolygon {
    try #require(PlanPolygon(from: PlanPoint(x: a.0, y: a.1), to: PlanPoint(x: b.0, y: b.1)))
  }

  private static func circle(latitude: Double, radius: Double) throws -> Circle {
    let center = try #require(Coordinate(latitude: latitude, longitude: 11))
    return try #require(Circle(center: center, radius: radius))
  }

  /// A house of two storeys with a room, an exhibit in it, and an attic without a name.
  private static func catalogue() throws -> Catalogue {
    let hall = try rectangle((0, 0), (40, 20))
    let origin = try #require(Coordinate(latitude: 48, longitude: 11))
    let venue = Venue(
      id: "gallery", name: ["en": "Gallery", "de": "Galerie"],
      frame: VenueFrame(origin: origin, bearing: 30),
      levels: [
        VenueLevel(id: "ground", ordinal: 0, name: ["en": "Ground floor", "de": "Erdgeschoss"], walkable: [hall]),
        VenueLevel(id: "attic", ordinal: 1, walkable: [hall]),
      ],
      places: [
        Place(
          id: "room-5", kind: .room, level: "ground", position: PlanPoint(x: 10, y: 10), area: try rectangle((0, 0), (20, 20)),
          title: ["en": "Room 5", "de": "Raum 5"]),
        Place(id: "case", level: "ground", position: PlanPoint(x: 16, y: 16), area: try rectangle((15, 15), (17, 17)), title: "Show-case"),
        Place(id: "lodestone", kind: .exhibit, level: "ground", position: PlanPoint(x: 4, y: 4), title: "Lodestone"),
        Place(id: "bell", kind: .exhibit, level: "ground", position: PlanPoint(x: 30, y: 10), radius: 6, title: "Bell"),
      ])
    let park = NamedCircle(name: "Park", circle: try circle(latitude: 48, radius: 2000))
    let bench = NamedCircle(name: ["en": "Bench", "de": "Bank"], circle: try circle(latitude: 48.01, radius: 20))
    return Catalogue([venue], circles: [park, bench])
  }

  private func placemark(_ x: Double, _ y: Double, floor: Int? = 0, accuracy: Double? = 1, _ language: String = "en") throws -> Placemark? {
    let catalogue = try Self.catalogue()
    let coordinate = try #require(catalogue.venues[0].frame?.coordinate(for: PlanPoint(x: x, y: y)))
    return catalogue.placemark(at: coordinate, floor: floor, accuracy: accuracy, preferring: [language])
  }

  @Test(arguments: [
    (10.0, 10.0, "Room 5, Ground floor, Gallery"), (4, 6, "Lodestone, Ground floor, Gallery"),
    (16, 16.5, "Show-case, Ground floor, Gallery"), (35.5, 10, "Bell, Ground floor, Gallery"), (25, 2, "Ground floor, Gallery"),
    (44, 10, "Ground floor, Gallery"), (60, 10, "Park"),
  ])
  func `a location has the names of its place, level and venue`(x: Double, y: Double, description: String) throws {
    #expect(try placemark(x, y)?.description == description)
  }

  @Test func `the names are in the language of the reader, beside the ids`() throws {
    #expect(
      try placemark(10, 10, "de")
        == Placemark(
          description: "Raum 5, Erdgeschoss, Galerie", place: "Raum 5", placeID: "room-5", level: "ground", levelName: "Erdgeschoss",
          venue: "gallery", venueName: "Galerie"))
  }

  @Test(arguments: [
    (1.0, "Lodestone, Ground floor, Gallery"), (3, "Lodestone, Ground floor, Gallery"), (4, "Room 5, Ground floor, Gallery"),
    (11, "Ground floor, Gallery"), (31, "Park"), (2001, nil), (nil, nil),
  ])
  func `an inaccurate location has only the names for which it is accurate enough`(accuracy: Double?, description: String?) throws {
    #expect(try placemark(4, 4, accuracy: accuracy)?.description == description)
  }

  @Test func `a location without a floor, or on an unknown one, has the name of the venue alone`() throws {
    #expect(try placemark(4, 4, floor: nil)?.description == "Gallery")
    let roof = try #require(try placemark(4, 4, floor: 7))
    #expect(roof.description == "Gallery" && roof.level == nil && roof.place == nil)
    let attic = try #require(try placemark(4, 4, floor: 1))
    #expect(attic.description == "Gallery" && attic.level == "attic" && attic.place == nil)
  }

  @Test func `outside the venues the smallest own place around a location names it`() throws {
    let catalogue = try Self.catalogue()
    let bench = try #require(Coordinate(latitude: 48.01, longitude: 11.0001))
    func name(_ accuracy: Double) -> String? { catalogue.placemark(at: bench, floor: 0, accuracy: accuracy, preferring: ["de"])?.place }
    #expect(name(5) == "Bank" && name(25) == "Park")
    #expect(catalogue.placemark(at: bench, floor: 0, accuracy: 5, preferring: ["de"], hidesOwnPlaces: true) == nil)
    let far = try #require(Coordinate(latitude: 49, longitude: 11))
    #expect(catalogue.placemark(at: far, floor: 0, accuracy: 1, preferring: []) == nil)
  }
}

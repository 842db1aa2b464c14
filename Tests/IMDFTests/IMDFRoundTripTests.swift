import Geodesy
import Instants
import Testing
import Venues

@testable import IMDF

@Suite struct IMDFRoundTripTests {
  private static let created = Instant(microseconds: 1_790_000_000_000_000)

  private func imported(_ export: IMDFExport) throws -> IMDFImport {
    try IMDFImport(files: Dictionary(uniqueKeysWithValues: export.files.map { ($0.name, $0.content) }), id: "other")
  }

  @Test(arguments: 1...60) func `a venue keeps everything on the way through an archive`(seed: UInt64) throws {
    var generator = VenueGenerator(seed: seed)
    let venue = generator.venue()
    let export = try IMDFExport(venue, created: Self.created)
    let result = try imported(export)
    #expect(result.venue.withoutPositions == venue.withoutPositions)
    #expect(result.notes == [], "\(result.notes)")
    let (before, after) = (venue.positions, result.venue.positions)
    #expect(before.count == after.count)
    // Seven decimals are 11 mm of latitude.
    for (first, second) in zip(before, after) { #expect(first.distance(to: second) < 0.012, "\(first) \(second)") }
  }

  @Test func `an imported venue is exported with the same ids`() throws {
    let level = "8d8b0dd5-7c11-4b5c-9f9c-26f1f7dc5a10"
    let venue = Venue(
      id: "gallery", name: ["en": "Gallery"], frame: VenueFrame(origin: try #require(.init(latitude: 48, longitude: 11))),
      levels: [VenueLevel(id: level, name: ["en": "Ground"])],
      places: [Place(id: "11111111-2222-4333-8444-555555555555", kind: .exhibit, level: level, position: PlanPoint(x: 1, y: 1))])
    let export = try IMDFExport(venue, created: Self.created)
    func id(in file: String) throws -> String? {
      let content = try #require(export.files.first { $0.name == file }).content
      return try JSONValue(content)["features"]?.list?.first?["id"]?.text
    }
    #expect(try id(in: "level.geojson") == level)
    #expect(try id(in: "amenity.geojson") == "11111111-2222-4333-8444-555555555555")
  }

  @Test func `an archive has the same octets each time`() throws {
    var generator = VenueGenerator(seed: 5)
    let venue = generator.venue()
    let first = try IMDFExport(venue, created: Self.created).archive()
    #expect(try IMDFExport(venue, created: Self.created).archive() == first)
    #expect(try IMDFImport(archive: first, id: "other").venue.withoutPositions == venue.withoutPositions)
  }
}

@Suite struct IMDFExportTests {
  private func features(_ export: IMDFExport) throws -> [JSONValue] {
    try export.files.filter { $0.name.hasSuffix(".geojson") }.flatMap { try JSONValue($0.content)["features"]?.list ?? [] }
  }

  private func export(seed: UInt64, _ options: IMDFExport.Options = .init()) throws -> IMDFExport {
    var generator = VenueGenerator(seed: seed)
    return try IMDFExport(generator.venue(), created: Instant(microseconds: 0), options: options)
  }

  /// The properties that must not be null (OGC 20-094). The address is an option.
  private static let required: [String: [String]] = [
    "venue": ["category", "name", "display_point"], "footprint": ["category", "building_ids"], "building": ["category"],
    "level": ["category", "ordinal", "outdoor", "name", "short_name"], "unit": ["category", "level_id"],
    "section": ["category", "level_id"],
    "amenity": ["category", "unit_ids"], "anchor": ["unit_id"], "occupant": ["name", "category", "anchor_id"],
    "relationship": ["category", "direction"], "detail": ["level_id"],
  ]

  @Test(arguments: 1...20) func `an archive conforms to the standard`(seed: UInt64) throws {
    let export = try export(seed: seed, .init(address: .init(street: "1 Main Street", locality: "Berlin", country: "DE")))
    #expect(export.files.count == 18)
    let features = try features(export)
    var ids: Set<String> = []
    for feature in features {
      let type = try #require(feature["feature_type"]?.text)
      let id = try #require(feature["id"]?.text)
      #expect(ids.insert(id).inserted, "\(type) \(id)")
      let digits = Array(id)
      #expect(IMDFFeature.isUUID(id) && digits[14] == "4" && "89ab".contains(digits[19]))
      for property in Self.required[type] ?? [] { #expect(feature["properties"]?[property]?.isNull == false, "\(type) \(property)") }
      #expect((feature["geometry"]?.isNull == true) == IMDFFormat.unlocatedTypes.contains(type))
      for position in feature["geometry"].flatMap(RawGeometry.init)?.positions ?? [] {
        #expect(position.coordinate != nil && !position.isTooPrecise)
      }
    }
    // References lead to features.
    for feature in features {
      for key in ["level_id", "unit_id", "anchor_id", "address_id"] {
        if let id = feature["properties"]?[key]?.text { #expect(ids.contains(id), "\(key)") }
      }
    }
  }

  @Test func `the outline of an area runs counterclockwise and is closed`() throws {
    let frame = VenueFrame(origin: try #require(.init(latitude: 10, longitude: 10)))
    let clockwise = try #require(PlanPolygon(ring: [PlanPoint(x: 0, y: 0), PlanPoint(x: 0, y: 9), PlanPoint(x: 9, y: 9)]))
    let ring = try #require(frame.geometry(of: clockwise)["coordinates"]?.list?.first?.list?.compactMap(RawPosition.init))
    #expect(ring.first == ring.last && ring.count == 4)
    #expect(ring[1].x > ring[0].x)
  }

  @Test func `pictures and appointments are reported as left out`() throws {
    var generator = VenueGenerator(seed: 1)
    var venue = generator.venue()
    venue.levels[0].picture = PlanPicture(image: "ground.png", width: 10, height: 10)
    venue.appointments = [Appointment(at: Instant(microseconds: 0), place: "x")]
    let notes = try IMDFExport(venue, created: Instant(microseconds: 0)).notes
    #expect(notes.count { $0.kind == .omission } == 2)
    #expect(notes.contains { $0.description.contains("ground.png") })
  }

  @Test func `a venue without a place on the earth cannot be exported`() {
    #expect(throws: IMDFError.self) { try IMDFExport(Venue(id: "gallery"), created: Instant(microseconds: 0)) }
    #expect(throws: IMDFError.self) { try VenueGeoJSON.text(of: Venue(id: "gallery")) }
  }

  @Test func `a venue without anything on it is exported`() throws {
    let frame = VenueFrame(origin: try #require(.init(latitude: 10, longitude: 10)))
    let export = try IMDFExport(Venue(id: "gallery", frame: frame), created: Instant(microseconds: 0))
    #expect(try features(export).contains { $0["feature_type"]?.text == "level" })
  }

  @Test(arguments: 1...10) func `GeoJSON has a feature for each part`(seed: UInt64) throws {
    var generator = VenueGenerator(seed: seed)
    let venue = generator.venue()
    let value = try JSONValue(Array(try VenueGeoJSON.text(of: venue).utf8))
    let names = (value["features"]?.list ?? []).compactMap { $0["properties"]?["feature"]?.text }
    #expect(names.count { $0 == "beacon" } == venue.beacons.count)
    #expect(names.count { $0 == "place" } == venue.places.count)
    #expect(names.count { $0 == "node" } == venue.nodes.count)
    #expect(names.count { $0 == "edge" } == venue.edges.count + venue.lifts.count)
  }
}

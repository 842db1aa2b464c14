import Geodesy
import Testing
import Venues

@testable import IMDF

@Suite struct IMDFImportTests {
  func imported(_ archive: ForeignArchive) throws -> IMDFImport { try IMDFImport(files: archive.files, id: "museum") }

  private func isClose(_ point: PlanPoint?, _ x: Double, _ y: Double) -> Bool {
    point.map { $0.distance(to: PlanPoint(x: x, y: y)) < 0.1 } ?? false
  }

  func warnings(_ result: IMDFImport) -> [String] { result.notes.filter { $0.kind == .warning }.map(\.description) }

  // MARK: A good archive

  @Test func `an archive without deviations gives no warnings`() throws {
    #expect(warnings(try imported(ForeignArchive())) == [])
  }

  @Test func `the frame runs along the walls from the corner of the building`() throws {
    let frame = try #require(try imported(ForeignArchive()).venue.frame)
    #expect(abs(frame.bearing) <= 0.1)
    let corner = try #require(Coordinate(latitude: 48.1371, longitude: 11.5754))
    #expect(frame.origin.distance(to: corner) < 0.05)
  }

  @Test func `a turned building has straight axes`() throws {
    let middle = try #require(Coordinate(latitude: 50, longitude: 8))
    // Turned by 20° clockwise.
    let corners = [(0.0, 0.0), (9.397, -3.42), (16.237, 15.374), (6.84, 18.794)]
    let outline = corners.compactMap { TangentPlane(at: middle).coordinate(east: $0.0, north: $0.1) }
    let frame = try #require(VenueFrame(along: [outline], around: middle))
    #expect(abs(frame.bearing - 20) < 0.2)
  }

  @Test func `levels have their ordinals and names`() throws {
    let levels = try imported(ForeignArchive()).venue.levels
    #expect(levels.map(\.ordinal) == [0, 1])
    #expect(levels.map(\.name) == [["en": "Ground floor"], ["en": "First floor"]])
    #expect(levels.map(\.shortName) == [["en": "G"], ["en": "1"]])
  }

  @Test func `units become walkable areas and voids`() throws {
    let levels = try imported(ForeignArchive()).venue.levels
    #expect(levels[0].walkable.map { ($0.area).rounded() } == [600, 600])
    #expect(levels[1].voids.map { ($0.area).rounded() } == [9])
    #expect(levels[0].walkable[0].holes.isEmpty)
  }

  @Test func `amenities, occupants and main doors become places`() throws {
    let venue = try imported(ForeignArchive()).venue
    #expect(venue.places.map(\.kind) == [.shop, .exhibit, .entrance])
    let shop = venue.places[0]
    #expect(shop.title == ["en": "Books", "de": "Bücher"])
    #expect(shop.area?.area.rounded() == 600)
    #expect(venue.places[1].links == [Place.Link(address: "https://example.org/lodestone")])
    #expect(venue.places[1].area == nil)
    #expect(isClose(venue.places[1].position, 10, 10) && isClose(venue.places[2].position, 0, 15))
  }

  @Test func `relationships become edges, and a lift is one part`() throws {
    let venue = try imported(ForeignArchive()).venue
    #expect(venue.edges.map(\.kind) == [.walk, .walk, .stairs])
    #expect(venue.edges[0].to == "dddddddd-0000-4000-8000-000000000001" && venue.edges[1].from == venue.edges[0].to)
    #expect(venue.lifts.count == 1)
    #expect(venue.lifts[0].stops == [ForeignArchive.hall, ForeignArchive.upstairs])
    #expect(venue.lifts[0].wheelchair == .unknown)
  }

  @Test func `lifts between neighbouring levels become one lift`() throws {
    var archive = ForeignArchive()
    let third = "aaaaaaaa-0000-4000-8000-000000000003"
    let top = "bbbbbbbb-0000-4000-8000-000000000009"
    archive.add("level", third, ForeignArchive.rectangle(0, 0, 40, 30), ForeignArchive.level(2, "Second floor", "2"))
    archive.add("unit", top, ForeignArchive.rectangle(0, 0, 40, 30), ForeignArchive.unit("walkway", third))
    archive.relate("elevator", ForeignArchive.upstairs, top, number: 4)
    let lifts = try imported(archive).venue.lifts
    #expect(lifts.map(\.stops) == [[ForeignArchive.hall, ForeignArchive.upstairs, top]])
  }

  @Test func `content without a place in a venue is listed`() throws {
    let result = try imported(ForeignArchive())
    let omissions = result.notes.filter { $0.kind == .omission }.map(\.description)
    #expect(omissions.contains("amenity.geojson: eeeeeeee-0000-4000-8000-000000000001: the property \"hours\""))
  }

  // MARK: Deviations

  @Test func `a date without a zone, a wrong version and missing parts of the manifest are warnings`() throws {
    var archive = ForeignArchive()
    archive.manifest = #"{"version":"1.0.0.beta.2","created":"2020-09-09T12:34:56"}"#
    let result = try imported(archive)
    #expect(warnings(result).count { $0.hasPrefix("manifest.json: ") } == 3)
    #expect(result.venue.levels.count == 2)
    var files = archive.files
    files["manifest.json"] = nil
    #expect(warnings(try IMDFImport(files: files, id: "x")).contains { $0.hasPrefix("manifest.json: the archive lacks") })
    files["manifest.json"] = Array("{".utf8)
    #expect(warnings(try IMDFImport(files: files, id: "x")).contains { $0.hasPrefix("manifest.json: is not JSON") })
  }

  @Test func `missing feature types and ids are made up, and one warning counts them`() throws {
    var archive = ForeignArchive()
    archive.change("unit") { $0["feature_type"] = nil }
    archive.change("opening") { $0["id"] = nil }
    let result = try imported(archive)
    let note = try #require(result.notes.first { $0.text.hasPrefix("no \"feature_type\"") })
    #expect(note.count == 4 && note.features.count == 3 && note.file == "unit.geojson")
    #expect(note.description.contains(" and 1 more: "))
    #expect(warnings(result).contains { $0.hasPrefix("opening.geojson: feature 1, feature 2: no \"id\"") })
    #expect(result.venue.levels[0].walkable.count == 2)
  }

  @Test func `ids that are not UUIDs become ids of a venue file`() throws {
    var archive = ForeignArchive()
    archive.change("amenity") { $0["id"] = .text("stone #1/ü") }
    archive.change("occupant") { $0["id"] = .number(17) }
    let result = try imported(archive)
    #expect(Set(result.venue.places.map(\.id)) == ["17", "stone--1---", "dddddddd-0000-4000-8000-000000000002"])
    #expect(warnings(result).contains { $0.contains("the id is not a UUID") })
  }

  @Test func `a duplicate id counts once`() throws {
    var archive = ForeignArchive()
    let amenities = archive.features["amenity"] ?? []
    archive.features["amenity"] = amenities + amenities
    let result = try imported(archive)
    #expect(result.venue.places.count { $0.kind == .exhibit } == 1)
    #expect(warnings(result).contains { $0.contains("an earlier feature has the same id") })
  }

  @Test func `dangling references are warnings`() throws {
    var archive = ForeignArchive()
    archive.changeProperties("amenity") { $0["unit_ids"] = .list([.text("gone")]) }
    archive.changeProperties("occupant") { $0["anchor_id"] = .text("gone") }
    archive.changeProperties("relationship") { $0["origin"] = .object(["id": .text("gone"), "feature_type": .text("unit")]) }
    let result = try imported(archive)
    // The position of the exhibit shows its level.
    #expect(result.venue.places.map(\.kind) == [.exhibit, .entrance])
    #expect(result.venue.places[0].level == ForeignArchive.level)
    #expect(warnings(result).contains { $0.hasPrefix("occupant.geojson: eeeeeeee") && $0.contains("leads to no anchor") })
    #expect(warnings(result).contains { $0.hasPrefix("relationship.geojson: ") && $0.contains("leads to no feature") })
    #expect(result.venue.lifts.isEmpty)
  }

  @Test(arguments: ["venue", "footprint", "level", "unit", "anchor", "opening"]) func `a missing file leaves a result`(type: String) throws
  {
    var archive = ForeignArchive()
    archive.features[type] = nil
    let result = try imported(archive)
    #expect(!warnings(result).isEmpty || type == "opening")
    #expect(!result.venue.levels.isEmpty && result.venue.frame != nil)
  }

  @Test func `a file that is not JSON is ignored`() throws {
    var files = ForeignArchive().files
    files["amenity.geojson"] = Array("not json".utf8)
    files["occupant.geojson"] = [0xFF, 0xFE, 0x00]
    files["kiosk.geojson"] = Array((String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)).utf8)
    files["section.geojson"] = Array("{\"features\": 7}".utf8)
    let result = try IMDFImport(files: files, id: "x")
    #expect(warnings(result).count { $0.hasSuffix("the file is ignored") } == 4)
    #expect(warnings(result).contains { $0.hasPrefix("kiosk.geojson: nests deeper") })
  }

  @Test func `control characters, direction marks and markup are removed from texts`() throws {
    var archive = ForeignArchive()
    archive.changeProperties("amenity") { $0["name"] = ForeignArchive.label("A\u{202E}B <b>C</b> &amp; \u{7}D") }
    archive.changeProperties("occupant") { $0["name"] = .text("Plain") }
    let venue = try imported(archive).venue
    #expect(venue.places.first { $0.kind == .exhibit }?.title == ["en": "AB < b>C< /b> & amp;  D"])
    #expect(venue.places.first { $0.kind == .shop }?.title == ["en": "Plain"])
  }

  @Test func `links other than https are left out`() throws {
    var archive = ForeignArchive()
    archive.changeProperties("amenity") { $0["website"] = .text("javascript:alert(1)") }
    let result = try imported(archive)
    #expect(result.venue.places.allSatisfy { $0.links.isEmpty })
    #expect(result.notes.contains { $0.kind == .omission && $0.text.contains("not an https address") })
  }

  @Test func `an imported venue with an app or a page launches nothing until the user allows it`() throws {
    #expect(try !imported(ForeignArchive()).venue.isImported)
    var page = ForeignArchive()
    page.changeProperties("venue") { $0["website"] = .text("https://example.org/museum") }
    let withPage = try imported(page).venue
    #expect(withPage.nearby == VenueOffer(page: "https://example.org/museum") && withPage.isImported)
    var app = ForeignArchive()
    app.manifest = app.manifest.replacing("\"extensions\":null", with: "\"extensions\":[\"imdf:extension:beaconmon:venue#1.0.0\"]")
    app.changeProperties("venue") { $0["beaconmon"] = .object(["nearby": .object(["app": .text("org.example.Guide")])]) }
    let withApp = try imported(app).venue
    #expect(withApp.nearby?.app == .desktopFile("org.example.Guide") && withApp.isImported)
    page.changeProperties("venue") { $0["website"] = .text("javascript:alert(1)") }
    #expect(try !imported(page).venue.isImported)
  }

  @Test func `the extension counts only if the manifest names it`() throws {
    var archive = ForeignArchive()
    archive.changeProperties("amenity") { $0["beaconmon"] = .object(["id": .text("mine")]) }
    #expect(try imported(archive).venue.places.allSatisfy { $0.id != "mine" })
    archive.manifest = archive.manifest.replacing("\"extensions\":null", with: "\"extensions\":[\"imdf:extension:beaconmon:venue#1.0.0\"]")
    #expect(try imported(archive).venue.places.contains { $0.id == "mine" })
  }

  @Test func `an archive without positions is refused`() {
    #expect(throws: IMDFError.self) { try IMDFImport(files: [:], id: "x") }
    var archive = ForeignArchive()
    for type in archive.features.keys { archive.change(type) { $0["geometry"] = .null } }
    #expect(throws: IMDFError.self) { try IMDFImport(files: archive.files, id: "x") }
  }

  @Test(arguments: 1...300) func `no damage of a file makes the import crash`(seed: UInt64) throws {
    var damage = ArchiveDamage(seed: seed)
    let files = damage.damaged(ForeignArchive().files)
    guard let result = try? IMDFImport(files: files, id: "x") else { return }
    let points = result.venue.positions
    #expect(points.allSatisfy { $0.isFinite && abs($0.x) < 25_000 && abs($0.y) < 25_000 })
    let nodes = Set(result.venue.nodes.map(\.id))
    #expect(result.venue.edges.allSatisfy { nodes.contains($0.from) && nodes.contains($0.to) && $0.from != $0.to })
    #expect(result.venue.lifts.allSatisfy { $0.stops.count > 1 })
  }
}

import Beacons
import Geodesy
import Instants
import Testing
import Venues

@testable import IMDF

/// Positions and shapes that deviate from the format, or contradict each other.
extension IMDFImportTests {
  @Test(arguments: [["unit"], ["level", "footprint"], ["amenity"]])
  func `files with the latitude first are found by the display point of the venue`(types: [String]) throws {
    var archive = ForeignArchive()
    for type in types { archive.change(type) { $0["geometry"] = ForeignArchive.swapped($0["geometry"] ?? .null) } }
    let result = try imported(archive)
    for type in types {
      #expect(warnings(result).contains("\(type).geojson: the latitude stands before the longitude; the axes are swapped"))
    }
    let reference = try imported(ForeignArchive()).venue
    #expect(result.venue == reference)
  }

  @Test(arguments: ["detail", "beacon"]) func `walls and beacons with the latitude first are found as well`(type: String) throws {
    let outline = try #require(PlanPolygon(from: PlanPoint(x: 0, y: 0), to: PlanPoint(x: 20, y: 10)))
    let beacon = PlannedBeacon(
      identity: BeaconIdentity(uuid: try BeaconUUID("8ec76ea3-6668-48da-9866-75be8bc86f4d"), major: 1, minor: 1), level: "ground",
      position: PlanPoint(x: 3, y: 4), height: 2.5)
    let venue = Venue(
      id: "hall", frame: VenueFrame(origin: try #require(.init(latitude: 48, longitude: 11))),
      levels: [VenueLevel(id: "ground", walkable: [outline])],
      walls: [VenueWall(level: "ground", from: PlanPoint(x: 10, y: 0), to: PlanPoint(x: 10, y: 6), attenuation: 5)], beacons: [beacon])
    let export = try IMDFExport(venue, created: Instant(microseconds: 0))
    var files = Dictionary(uniqueKeysWithValues: export.files.map { ($0.name, $0.content) })
    let reference = try IMDFImport(files: files, id: "hall").venue
    #expect(reference.walls.count == 1 && reference.beacons.count == 1)
    let file = try #require(files[type + ".geojson"])
    files[type + ".geojson"] = ForeignArchive.swapped(try JSONValue(file)).octets
    #expect(try IMDFImport(files: files, id: "hall").venue == reference)
  }

  @Test func `an archive with the latitude first everywhere is read with its display point, or by the option of the user`() throws {
    var archive = ForeignArchive()
    let reference = try imported(archive).venue
    for type in archive.features.keys { archive.change(type) { $0["geometry"] = ForeignArchive.swapped($0["geometry"] ?? .null) } }
    #expect(try imported(archive).venue == reference)
    archive.changeProperties("venue") { $0["display_point"] = ForeignArchive.swapped($0["display_point"] ?? .null) }
    #expect(try imported(archive).venue != reference)
    #expect(try IMDFImport(files: archive.files, id: "museum", isLatitudeFirst: true).venue == reference)
  }

  @Test func `impossible latitudes show the order of the axes without a display point`() throws {
    var archive = ForeignArchive()
    archive.changeProperties("venue") { $0["display_point"] = nil }
    for type in archive.features.keys {
      // To Tokyo, whose longitude is not a valid latitude.
      archive.change(type) { feature in
        feature["geometry"] = feature["geometry"].map { Self.moved($0, 128, -13) }.map(ForeignArchive.swapped)
      }
    }
    let result = try imported(archive)
    #expect(abs((result.venue.frame?.origin.longitude ?? 0) - 139.5754) < 0.001)
    #expect(result.venue.levels[0].walkable.count == 2)
  }

  private static func moved(_ value: JSONValue, _ east: Double, _ north: Double) -> JSONValue {
    switch value {
    case .list(let list):
      if list.count == 2, let x = list[0].number, let y = list[1].number { return .list([.number(x + east), .number(y + north)]) }
      return .list(list.map { moved($0, east, north) })
    case .object(let object): return .object(object.mapValues { moved($0, east, north) })
    default: return value
    }
  }

  @Test func `positions near 0, 0 and far away are left out`() throws {
    var archive = ForeignArchive()
    let zero: JSONValue = .object(["type": .text("Point"), "coordinates": .list([.number(0), .number(0)])])
    let far: JSONValue = .object(["type": .text("Point"), "coordinates": .list([.number(12.5), .number(48)])])
    archive.add(
      "amenity", "00000000-0000-4000-8000-000000000001", zero, ["category": .text("atm"), "unit_ids": .list([.text(ForeignArchive.hall)])])
    archive.add(
      "amenity", "00000000-0000-4000-8000-000000000002", far, ["category": .text("atm"), "unit_ids": .list([.text(ForeignArchive.hall)])])
    let result = try imported(archive)
    #expect(result.venue.places.count == 3)
    #expect(warnings(result).contains { $0.contains("000000000001: a position near 0, 0") })
    #expect(warnings(result).contains { $0.contains("000000000002: a position far from the venue") })
  }

  @Test func `more than seven decimals are rounded`() throws {
    var archive = ForeignArchive()
    archive.change("amenity") { $0["geometry"] = Self.moved($0["geometry"] ?? .null, 0.000000012345, 0) }
    let result = try imported(archive)
    #expect(warnings(result) == ["amenity.geojson: eeeeeeee-0000-4000-8000-000000000001: more than 7 decimals; positions are rounded"])
  }

  @Test func `shapes that contradict each other are warnings, each with its feature`() throws {
    func found(_ change: (inout ForeignArchive) -> Void) throws -> [String] {
      var archive = ForeignArchive()
      change(&archive)
      return warnings(try imported(archive))
    }
    let id = "bbbbbbbb-0000-4000-8000-000000000007"
    func unit(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) throws -> [String] {
      try found { $0.add("unit", id, ForeignArchive.rectangle(x0, y0, x1, y1), ForeignArchive.unit("room", ForeignArchive.level)) }
    }
    #expect(try unit(60, 5, 70, 10).contains("unit.geojson: \(id): the middle of the unit is outside its level"))
    #expect(try unit(0, 30.05, 40, 30.15).contains("unit.geojson: \(id): the unit is a sliver, narrower than 0.2 m"))
    #expect(try unit(25, 5, 30, 10).contains("unit.geojson: \(id): the unit overlaps another one"))
    #expect(try unit(40, 0, 45, 30).filter { $0.contains("overlaps") }.isEmpty)
    let level = "aaaaaaaa-0000-4000-8000-000000000009"
    let levels = try found { $0.add("level", level, ForeignArchive.rectangle(0, 0, 50, 30), ForeignArchive.level(4, "Tower", "4")) }
    #expect(levels.contains("level.geojson: \(level): the level reaches beyond the footprint of the building"))
    #expect(levels.contains("level.geojson: no level between the ordinals 1 and 4; they count as 3 storeys apart"))
    let door = "dddddddd-0000-4000-8000-000000000009"
    let doors = try found {
      $0.add(
        "opening", door, ForeignArchive.line(10, 10, 10, 12), ["category": .text("pedestrian"), "level_id": .text(ForeignArchive.level)])
    }
    #expect(doors == ["opening.geojson: \(door): the opening is on the edge of no unit"])
  }

  @Test func `a polygon that crosses itself is repaired`() throws {
    var archive = ForeignArchive()
    archive.change("unit") { feature in
      if feature["id"] == .text(ForeignArchive.room) {
        feature["geometry"] = ForeignArchive.polygon([[(20, 0), (40, 30), (40, 0), (20, 30), (20, 0)]])
      }
    }
    let result = try imported(archive)
    #expect(warnings(result).contains { $0.contains("unit.geojson: \(ForeignArchive.room): the polygon is invalid (Self-intersection)") })
    #expect(result.venue.levels[0].walkable.count == 3)
    #expect(result.venue.levels[0].walkable.allSatisfy { $0.selfCrossing == nil })
  }
}

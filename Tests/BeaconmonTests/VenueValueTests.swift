import FoundationEssentials
import struct Locations.LocationReport
import MonitorClient
import Records
import Testing
import struct Venues.PlaceReport
import struct Venues.PlanReport

@testable import Beaconmon

@Suite struct VenueValueTests {
  private func point(_ x: Double, _ y: Double) -> Record { Record(["x": .metres(x), "y": .metres(y)]) }

  private func degrees(_ value: Double) -> RecordValue { .quantity(value, decimals: 7) }

  @Test func `a place region becomes the dictionary of the service`() {
    var region = PlaceRegion(place: "room-5", venue: "gallery", identifier: "room")
    region.notifyOnEntry = false
    #expect(
      region.request(assuming: .inside).record
        == Record(["identifier": "room", "place": "room-5", "venue": "gallery", "assume": "inside", "notifyOnEntry": .flag(false)]))
    let level = PlaceRegion(level: "ground", identifier: "floor")
    #expect(level.request(assuming: .unknown).record == Record(["identifier": "floor", "level": "ground"]))
  }

  @Test func `a place condition is the region of the same place`() {
    let condition = PlaceCondition(place: "room-5", venue: "gallery")
    #expect(
      condition.region("room").request(assuming: .unknown).record == Record(["identifier": "room", "place": "room-5", "venue": "gallery"]))
    #expect(
      PlaceCondition(venue: "gallery").region("here").request(assuming: .unknown).record
        == Record(["identifier": "here", "venue": "gallery"]))
    #expect(
      PlaceCondition(level: "ground").region("floor").request(assuming: .unknown).record
        == Record(["identifier": "floor", "level": "ground"]))
  }

  @Test func `a place has the values of its record, and nil for missing ones`() throws {
    let uuid = "8ec76ea3-6668-48da-9866-75be8bc86f4d"
    let record = Record([
      "id": "lodestone", "venue": "gallery", "kind": "exhibit", "title": "Magnetstein", "level": "ground", "floor": .integer(-1),
      "x": .metres(1), "y": .metres(2), "latitude": degrees(48), "longitude": degrees(11), "distance": .metres(3.5), "radius": .metres(4),
      "uuid": .text(uuid), "major": .short(1), "minor": .short(2), "landmark": .flag(true),
      "area": .list([point(0, 0), point(2, 0), point(2, 2)]), "text": "Ein Stein.",
      "links": .list([Record(["url": "https://example.org", "title": "Mehr"])]), "image": "a.jpg", "audio": "a.ogg",
    ])
    let place = try #require(Place(PlaceReport(record)))
    #expect(place.id == Place.ID(venue: "gallery", placeID: "lodestone") && place.kind == .exhibit && place.title == "Magnetstein")
    #expect(place.level == "ground" && place.floor == -1 && place.point == FloorPlan.Point(x: 1, y: 2))
    #expect(place.coordinate == LocationCoordinate2D(latitude: 48, longitude: 11) && place.distance == 3.5 && place.radius == 4)
    #expect(place.beacon?.description == "\(uuid)/1/2" && place.isLandmark && place.area.count == 3)
    #expect(place.text == "Ein Stein." && place.links == [Place.Link(address: "https://example.org", title: "Mehr")])
    #expect(place.image == "a.jpg" && place.audio == "a.ogg")
    let bare = try #require(
      Place(PlaceReport(Record(["id": "x", "venue": "v", "x": .metres(0), "y": .metres(0), "kind": "volcano", "uuid": "no"]))))
    #expect(bare.kind == .other && bare.title == "x" && bare.beacon == nil && bare.coordinate == nil && bare.area.isEmpty)
    #expect(Place(PlaceReport(Record(["id": "x", "venue": "v"]))) == nil)
  }

  @Test func `a level converts between its plan and coordinates`() throws {
    let record = Record([
      "venue": "gallery", "venueName": "Gallery", "level": "ground", "floor": .integer(0), "name": "Ground floor", "latitude": degrees(48),
      "longitude": degrees(11), "bearing": .metres(90),
      "walkable": .list([Record(["points": .list([point(0, 0), point(1, 0), point(1, 1)])])]),
      "walls": .list([Record(["points": .list([point(0, 0), point(1, 0)]), "attenuation": .metres(6)])]), "image": "a.png",
      "width": .count(100), "height": .count(50),
    ])
    let level = try #require(VenueLevel(PlanReport(record)))
    #expect(level.walkable.first?.count == 3 && level.walls.first?.attenuation == 6 && level.picture?.width == 100)
    // The y axis points east.
    let east = try #require(level.coordinate(for: FloorPlan.Point(x: 0, y: 10)))
    #expect(abs(east.latitude - 48) < 1e-7 && east.longitude > 11.0001)
    let back = try #require(level.point(for: east))
    #expect(abs(back.x) < 0.01 && abs(back.y - 10) < 0.01)
    let bare = try #require(VenueLevel(PlanReport(Record(["venue": "v", "level": "l"]))))
    #expect(bare.point(for: east) == nil && bare.coordinate(for: back) == nil && bare.venueName == "v")
  }

  @Test func `a location has a placemark only if the service names its place`() throws {
    var record = Record(["latitude": degrees(48), "longitude": degrees(11), "source": "indoor"])
    #expect(try #require(Location(LocationReport(record))).placemark == nil)
    record.append("description", .text("Lodestone, Gallery"))
    record.append("placeId", .text("lodestone"))
    record.append("venue", .text("gallery"))
    let location = try #require(Location(LocationReport(record)))
    #expect(location.source == .indoor && location.placemark?.description == "Lodestone, Gallery")
    #expect(location.placemark?.placeID == "lodestone" && location.placemark?.venue == "gallery" && location.placemark?.level == nil)
  }
}

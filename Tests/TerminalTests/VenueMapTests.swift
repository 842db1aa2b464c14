import Beacons
import Terminal
import Testing
import Venues

@Suite struct VenueMapTests {
  private static func venue() throws -> Venue {
    let beacon = BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 1, minor: 7)
    let floor = try #require(PlanPolygon(from: PlanPoint(x: 0, y: 0), to: PlanPoint(x: 20, y: 8)))
    let table = try #require(PlanPolygon(from: PlanPoint(x: 4, y: 0), to: PlanPoint(x: 8, y: 4)))
    return Venue(
      id: "gallery", name: ["en": "Gallery", "de": "Galerie"],
      levels: [VenueLevel(name: ["en": "Ground floor", "de": "Erdgeschoss"], walkable: [floor], voids: [table])],
      walls: [VenueWall(from: PlanPoint(x: 12, y: 0), to: PlanPoint(x: 12, y: 8), attenuation: 6)],
      beacons: [PlannedBeacon(identity: beacon, position: PlanPoint(x: 1, y: 7))],
      places: [
        Place(
          id: "lodestone", kind: .exhibit, position: PlanPoint(x: 17, y: 1), beacon: beacon,
          title: ["en": "Lode <stone>", "de": "Magnetstein"]),
        Place(id: "desk", kind: .desk, position: PlanPoint(x: 9, y: 7)),
      ])
  }

  @Test func `a level is drawn with its floor, walls, beacons and places`() throws {
    let venue = try Self.venue()
    let map = VenueMap(venue, venue.levels[0], languages: ["de"], style: ascii)
    #expect(
      map.lines(width: 20) == [
        "Galerie, Erdgeschoss, 20 x 8 m",
        ".*.......B..#.......",
        "............#.......",
        "....    ....#.......",
        "....    ....#....A..",
        "A  Magnetstein  exhibit  [17, 1]  beacon 1/7",
        "B  desk         desk  [9, 7]",
        "*  1 beacon",
      ])
  }

  @Test func `a venue of one beacon is drawn without a map`() {
    let beacon = BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 1, minor: 7)
    let venue = Venue(id: "shop", beacons: [PlannedBeacon(identity: beacon, position: PlanPoint(x: 1, y: 1))])
    #expect(VenueMap(venue, venue.levels[0], languages: [], style: ascii).lines(width: 20) == ["shop, ground, 0 x 0 m", "*  1 beacon"])
  }

  @Test func `a picture escapes names and has every part`() throws {
    let venue = try Self.venue()
    let text = VenueSVG(venue, venue.levels[0], languages: ["en"]).text
    #expect(text.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"880\" height=\"400\" viewBox=\"-1 -9 22 10\">"))
    #expect(text.contains("<title>Gallery, Ground floor</title>"))
    #expect(text.contains(">Lode &lt;stone&gt;</text>"))
    #expect(text.contains("<polygon class=\"void\" points=\"4,0 8,0 8,-4 4,-4\"/>"))
    #expect(text.contains("<line class=\"wall\" x1=\"12\" y1=\"0\" x2=\"12\" y2=\"-8\">"))
    #expect(text.contains(">1/7</text>"))
  }
}

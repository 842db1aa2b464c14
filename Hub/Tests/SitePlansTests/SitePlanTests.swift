import MonitorConfiguration
import Records
import SitePlans
import Testing
import Venues

@Suite struct SitePlanTests {
  private static let file = """
    format = 1
    name = { en = "Museum", de = "Museum" }
    uuid = "8ec76ea3-6668-48da-9866-75be8bc86f4d"

    [[level]]
    id = "first"
    ordinal = 1
    name = { en = "First floor", de = "Erster Stock" }
    short-name = "1"
    walkable = [[[0, 0], [10, 0], [10, 8], [0, 8]]]

    [[level]]
    id = "ground"
    ordinal = 0

    [[wall]]
    level = "first"
    from = [5, 0]
    to = [5, 6]
    attenuation = 4

    [[beacon]]
    major = 1
    minor = 1
    level = "first"
    position = [1, 2]
    name = "above the door"

    [[place]]
    id = "hall"
    kind = "room"
    level = "first"
    title = { en = "Hall", de = "Große Halle" }
    area = [[0, 0], [5, 0], [5, 8], [0, 8]]

    [[place]]
    id = "desk"
    level = "ground"
    position = [3, 4]
    """

  private func plan(_ text: String = file) throws -> SitePlan { SitePlan(try VenueDocument.parse(text: text, name: "museum.toml").venue) }

  private func level(_ number: Int) throws -> SiteLevelReport { try plan().levels[number] }

  @Test func `the levels ascend, with their areas, walls and beacons in metres of the plan`() throws {
    let plan = try plan()
    #expect(plan.venue == "museum" && plan.levels.map(\.plan.level) == ["ground", "first"] && plan.fault == nil)
    let json = plan.levels[1].record.json
    for part in [
      #""floor":1,"#, #""walkable":[{"points":[{"x":0.000,"y":0.000},{"x":10.000,"#, #""walls":[{"points":[{"x":5.000,"#,
      #""beacons":[{"x":1.000,"y":2.000}]"#,
      #""names":[{"language":"en","text":"First floor"},{"language":"de","text":"Erster Stock"}]"#, #""shortName":"1""#,
    ] { #expect(json.contains(part), "\(part) in \(json)") }
    #expect(plan.json == "[\(plan.levels[0].record.json),\(json)]")
  }

  @Test func `a place has its names in all languages, and those by which a room is found`() throws {
    let json = try level(1).record.json
    #expect(json.contains(#""names":[{"language":"en","text":"Hall"},{"language":"de","text":"Große Halle"}]"#), "\(json)")
    #expect(json.contains(#""rooms":[{"name":"hall"},{"name":"große halle"}]"#), "\(json)")
    #expect(json.contains(#""area":[{"x":0.000,"y":0.000},{"x":5.000"#) && !json.contains(#""radius""#))
    let desk = try level(0).record.json
    #expect(desk.contains(#""id":"desk""#) && desk.contains(#""radius":3.00"#) && !desk.contains(#""area""#), "\(desk)")
  }

  @Test func `a room without a place is missing, and upper and lower case do not matter`() throws {
    #expect(try plan().missing(["desk", "GROSSE HALLE", "Große HALLE", "Hall", "attic", "museum"]) == ["GROSSE HALLE", "attic", "museum"])
  }

  @Test func `a plan from its stored levels is the same, and says what it has`() throws {
    let plan = try plan()
    #expect(try SitePlan(venue: plan.venue, levels: plan.levels.map(\.record.json)).json == plan.json)
    #expect(try SitePlan(venue: plan.venue, levels: plan.levels.map(\.record.json)).missing(["hall", "attic"]) == ["attic"])
    #expect(plan.summary == "venue museum: 2 levels, 1 beacon, 2 places")
    #expect(throws: JSONError.self) { try SitePlan(venue: "museum", levels: ["["]) }
  }

  @Test func `the name of a file of a picture stays out`() throws {
    var venue = try VenueDocument.parse(text: Self.file, name: "museum.toml").venue
    venue.levels[0].picture = PlanPicture(image: "secret.png", width: 100, height: 80)
    #expect(!SitePlan(venue).json.contains("secret"))
  }

  @Test func `a plan of too many corners is refused with its limit`() throws {
    var venue = try VenueDocument.parse(text: Self.file, name: "museum.toml").venue
    let ring = (0..<400_000).map { PlanPoint(x: Double($0), y: Double($0 % 2)) }
    venue.levels[0].walkable = [try #require(PlanPolygon(ring: ring))]
    #expect(SitePlan(venue).fault == "the plan has more than 8 MiB; remove beacons or corners of areas, or divide the venue")
  }
}

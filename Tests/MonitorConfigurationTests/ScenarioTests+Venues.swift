import BeaconAdvertising
import Beacons
import Foundation
import Geodesy
import Instants
import MonitorConfiguration
import Ranging
import Regions
import Simulation
import TestSupport
import Testing
import Venues

/// Scenarios in a venue.
extension ScenarioTests {
  private static let house = """
    format = 1
    uuid = "\(galleryUUID)"
    [frame]
    latitude = 48
    longitude = 11
    [[level]]
    id = "ground"
    walkable = [[[0, 0], [20, 0], [20, 10], [0, 10]]]
    [[level]]
    id = "first"
    ordinal = 1
    walkable = [[[0, 0], [20, 0], [20, 10], [0, 10]]]
    [[wall]]
    level = "first"
    from = [5, 0]
    to = [5, 8]
    attenuation = 6
    [[beacon]]
    major = 1
    minor = 1
    level = "first"
    position = [2, 3]
    power = -62
    [[beacon]]
    major = 1
    minor = 2
    level = "ground"
    position = [8, 3]
    height = 2.6
    [[place]]
    id = "desk"
    level = "ground"
    position = [3, 3]
    [[node]]
    id = "s0"
    level = "ground"
    position = [1, 1]
    [[node]]
    id = "s1"
    level = "first"
    position = [1, 1]
    [[edge]]
    from = "s0"
    to = "s1"
    kind = "stairs"
    time = "10s"
    """

  static func scenario(_ text: String) throws(ConfigurationError) -> Scenario {
    do {
      let folder = try TemporaryDirectory()
      try house.write(toFile: folder.file("house.toml"), atomically: true, encoding: .utf8)
      return try Scenario.parse(
        text: "name = \"t\"\nduration = \"1h\"\nvenue = \"house.toml\"\n" + text, name: folder.file("t.toml"))
    } catch let error as ConfigurationError {
      throw error
    } catch {
      Issue.record(error)
      throw .unreadable(file: "house.toml", code: 0)
    }
  }

  @Test func `a scenario has the levels, walls, beacons and place on the earth of its venue`() throws {
    let scenario = try Self.scenario(
      """
      [venue-beacons]
      interval = "300ms"
      [[beacon]]
      uuid = "\(galleryUUID)"
      major = 1
      minor = 2
      dies-at = "5m"
      [[receiver]]
      position = [1, 1]
      level = "first"
      loss = 0.2
      scan-window = "100ms"
      scan-interval = "400ms"
      """)
    #expect(scenario.venue?.levels.map(\.id) == ["ground", "first"])
    #expect(scenario.walls == scenario.venue?.walls && scenario.site?.origin.latitude == 48)
    let uuid = try BeaconUUID(galleryUUID)
    #expect(
      scenario.beacons == [
        SimulatedBeacon(
          identity: BeaconIdentity(uuid: uuid, major: 1, minor: 1), position: .fixed(PlanPoint(x: 2, y: 3), level: 1), height: 2,
          power: -62,
          interval: .milliseconds(300)),
        SimulatedBeacon(
          identity: BeaconIdentity(uuid: uuid, major: 1, minor: 2), position: .fixed(PlanPoint(x: 8, y: 3), level: 0), height: 2.6,
          batteryDeath: .seconds(300)),
      ])
    #expect(
      scenario.receivers == [
        Receiver(
          position: .fixed(PlanPoint(x: 1, y: 1), level: 1), height: 1.5, loss: BurstLoss(loss: 0.2, burst: nil),
          duty: ScanDuty(window: .milliseconds(100), interval: .milliseconds(400)))
      ])
  }

  @Test func `a visitor with a speed walks between levels by the stairs, and a wandering one has a start`() throws {
    let scenario = try Self.scenario(
      """
      [[receiver]]
      carried-by = "anna"
      [[visitor]]
      name = "anna"
      speed = 2
      start = "10s"
      path = [{ place = [1, 7], wait = "5s" }, { place = [3, 1], level = "first" }]
      [[visitor]]
      name = "ben"
      wander = { place = [2, 2], level = "first", pause = "3s", levels = ["ground"] }
      """)
    func point(_ at: Double, _ x: Double, _ y: Double, _ level: Int) -> VisitorPath.Waypoint {
      VisitorPath.Waypoint(at: .seconds(at), place: PlanPoint(x: x, y: y), level: level)
    }
    #expect(
      scenario.visitors[0].waypoints == [
        point(10, 1, 7, 0), point(15, 1, 7, 0), point(18, 1, 1, 0), point(28, 1, 1, 1), point(29, 3, 1, 1),
      ])
    #expect(scenario.randomVisitors == [RandomVisitor(visitor: 1, levels: ["first", "ground"], pause: .seconds(3))])
    #expect(scenario.visitors[1].waypoints == [point(0, 2, 2, 1)])
  }

  @Test(arguments: [
    (
      "[[receiver]]\nposition = [1, 1]\nlevel = \"attic\"",
      "6: receiver 1: level: the venue has no level \"attic\"; its levels are ground, first"
    ),
    (
      "[[receiver]]\nposition = [1, 1]\n[[visitor]]\nname = \"a\"\nspeed = 1\npath = [{ place = [1, 1] }, { place = [30, 1] }]",
      "9: visitor \"a\": path 2: place: [30, 1] is outside the walkable areas of level \"ground\"; choose a place inside them"
    ),
    (
      "[[receiver]]\nposition = [1, 1]\n[[visitor]]\nname = \"a\"\nspeed = 1\n"
        + "path = [{ place = [1, 1] }, { place = [9, 1], level = \"first\" }]",
      "9: visitor \"a\": path 2: place: there is no way to [9, 1] from [1, 1] on level \"ground\"; add a [[node]] and [[edge]] or a [[lift]] to the venue"
    ),
    (
      "[[receiver]]\nposition = [1, 1]\n[[region]]\nidentifier = \"attic\"\nplace = \"attic\"",
      "6: region: \"attic\" is a place that the venue \"house\" does not have"
    ),
    ("[[receiver]]\nposition = [1, 1]\nscan-window = \"1s\"", "6: receiver 1: scan-window: requires scan-interval"),
  ])
  func `an error in a scenario with a venue is reported with its line`(text: String, message: String) {
    let error = #expect(throws: ConfigurationError.self) { try Self.scenario(text) }
    #expect(error?.description.split(separator: "\n").map { $0.drop { $0 != ":" }.dropFirst() } == [message[...]])
  }

  @Test func `parts of a venue require one, and errors of the venue file have its lines`() throws {
    func messages(_ text: String) -> String {
      let error = #expect(throws: ConfigurationError.self) { try Scenario.parse(text: text, name: "t") }
      return error?.description ?? ""
    }
    #expect(messages(Self.start + "level = \"first\"").contains("t:5: receiver 1: level: requires a venue, which has the levels"))
    #expect(messages(Self.start + "[venue-beacons]\nloss = 0.1").contains("venue-beacons: requires venue"))
    #expect(messages(Self.start + "[[visitor]]\nname = \"a\"\nwander = { place = [1, 1] }").contains("wander: requires a venue"))
    #expect(messages(Self.start + "[[region]]\nidentifier = \"a\"\nplace = \"b\"").contains("is a place, which requires a venue"))
    #expect(messages("venue = \"/nowhere/house.toml\"\n" + Self.start).contains("t:1: venue: /nowhere/house.toml: cannot be read"))
    let folder = try TemporaryDirectory()
    try "format = 9\n".write(toFile: folder.file("house.toml"), atomically: true, encoding: .utf8)
    #expect(messages("venue = \"\(folder.file("house.toml"))\"\n" + Self.start).contains("house.toml:1: format: 9 is newer"))
  }

  @Test func `the configuration of a scenario names its venue and regions`() throws {
    let text = try Self.scenario("[[receiver]]\nposition = [1, 1]\n[[region]]\nidentifier = \"desk\"\nplace = \"desk\"\n")
      .configuration(venue: "/v/house.toml")
    #expect(text.hasPrefix("venues = [\"/v/house.toml\"]\n") && text.contains("place = \"desk\""))
  }
}

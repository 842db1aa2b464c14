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

/// Scenarios of `beaconmon simulate`: the settings of a file, and the errors of a wrong one.
@Suite struct ScenarioTests {
  private static let start = "name = \"t\"\nduration = \"1h\"\n[[receiver]]\nposition = [0, 0]\n"

  @Test func `every key of a scenario is read`() throws {
    let text = """
      name = "shop"
      duration = "2h"
      score-from = "10m"
      [radio]
      path-loss-exponent = 3
      shadowing = 5
      shadowing-distance = 1.5
      fading-factor = 4
      loss = 0.2
      burst = "3s"
      burst-loss = 0.9
      [ranging]
      rssi-offset = 2
      [[wall]]
      from = [1, 2]
      to = [3.5, -4]
      attenuation = 8
      [[visitor]]
      name = "anna"
      every = "1h"
      path = [{ at = "0s", place = [0, 0] }, { at = "90s", place = [9, 0] }]
      [[beacon]]
      uuid = "\(galleryUUID)"
      major = 1
      minor = 2
      carried-by = "anna"
      power = -65
      measured-power = -59
      interval = "350ms"
      jitter = "5ms"
      loss = 0.5
      burst = "12s"
      dies-at = "90m"
      [[receiver]]
      position = [2, 2]
      adapters = 2
      rssi-offset = -4
      sensitivity = -90
      [crowd]
      devices = 7
      interval = "500ms"
      from = [0, 0]
      to = [5, 5]
      [[outage]]
      adapter = 1
      at = "5m"
      for = "1m"
      every = "10m"
      noticed-after = "3s"
      [[restart]]
      at = "20m"
      for = "2s"
      [[clock-step]]
      at = "30m"
      by = "-1h"
      [[region]]
      identifier = "hall"
      uuid = "\(galleryUUID)"
      """
    let uuid = try BeaconUUID(galleryUUID)
    var expected = Scenario(name: "shop", duration: .seconds(7200), scoredFrom: .seconds(600))
    expected.radio = RadioModel(
      pathLossExponent: 3, shadowing: 5, shadowingDistance: 1.5, fading: RicianFading(factor: 4),
      loss: BurstLoss(loss: 0.2, burst: .seconds(3), burstLoss: 0.9))
    (expected.ranging.rssiOffset, expected.ranging.isCalibrated) = (2, true)
    expected.walls = [VenueWall(from: PlanPoint(x: 1, y: 2), to: PlanPoint(x: 3.5, y: -4), attenuation: 8)]
    expected.visitors = [
      VisitorPath(
        [.init(at: .zero, place: PlanPoint(x: 0, y: 0)), .init(at: .seconds(90), place: PlanPoint(x: 9, y: 0))], every: .seconds(3600))
    ]
    expected.beacons = [
      SimulatedBeacon(
        identity: BeaconIdentity(uuid: uuid, major: 1, minor: 2), position: .carried(by: 0), power: -65, measuredPower: -59,
        interval: .milliseconds(350), jitter: .milliseconds(5), loss: BurstLoss(loss: 0.5, burst: .seconds(12)),
        batteryDeath: .seconds(5400))
    ]
    expected.receivers = [Receiver(position: .fixed(PlanPoint(x: 2, y: 2)), adapters: 2, offset: -4, sensitivity: -90)]
    expected.crowd = Crowd(devices: 7, interval: .milliseconds(500), from: PlanPoint(x: 0, y: 0), to: PlanPoint(x: 5, y: 5))
    expected.faults = [
      Fault(.outage(adapter: 1, noticedAfter: .seconds(3)), at: .seconds(300), lasts: .seconds(60), every: .seconds(600)),
      Fault(.restart, at: .seconds(1200), lasts: .seconds(2)), Fault(.clockStep(by: .seconds(-3600)), at: .seconds(1800)),
    ]
    expected.regions = [.beacon(BeaconRegion(identifier: "hall", constraint: BeaconConstraint(uuid: uuid)))]
    #expect(try Scenario.parse(text: text, name: "t") == expected)
  }

  @Test(arguments: [
    Mistake(
      "", "1: name: is missing; it is required here", "1: duration: is missing; it is required here",
      "1: receiver: is missing; add a [[receiver]] for beacons, or [positioning] for locations"),
    Mistake(start + "[radio]\nburst = \"1s\"", "6: radio: burst: requires loss"),
    Mistake(
      start + "[radio]\nloss = 0.5\nburst = \"1s\"\nburst-loss = 0.5",
      "8: radio: burst-loss: must be greater than loss"),
    Mistake(
      start + "[[wall]]\nfrom = [1]\nto = [1, 2]\nattenuation = 3",
      "6: wall 1: from: has 1 numbers; write two, x and y in metres, such as [2.5, 4]"),
    Mistake(
      start + "[[beacon]]\nuuid = \"\(galleryUUID)\"\nmajor = 1\nminor = 1", "5: beacon 1: has no place; add position or carried-by"),
    Mistake(
      start + "position = [1, 1]", "5:1: \"position\" is already defined in line 4; remove one of them"),
    Mistake(
      start + "carried-by = \"ann\"\n[[visitor]]\nname = \"anna\"\npath = [{ at = \"0s\", place = [0, 0] }]",
      "5: receiver 1: carried-by: cannot be combined with position; remove one of them"),
    Mistake(
      "name = \"t\"\nduration = \"1h\"\n[[receiver]]\ncarried-by = \"ann\"\n[[visitor]]\nname = \"anna\"\npath = [{ at = \"0s\", place = [0, 0] }]",
      "4: receiver 1: carried-by: there is no visitor \"ann\"; did you mean \"anna\"?"),
    Mistake(
      start
        + "[[visitor]]\nname = \"anna\"\nevery = \"2s\"\npath = [{ at = \"5s\", place = [0, 0] }, { at = \"5s\", place = [0] }, { at = \"3s\", place = [0, 1] }]",
      "7: visitor \"anna\": every: ends before the path; it must be longer than \"3s\"",
      "8: visitor \"anna\": path 2: place: has 1 numbers; write two, x and y in metres, such as [2.5, 4]",
      "8: visitor \"anna\": path: goes back in time at \"3s\"; each waypoint must be later than the previous one"),
    Mistake(
      start + "[[visitor]]\nname = \"anna\"",
      "5: visitor \"anna\": path: requires at least one waypoint, such as { at = \"0s\", place = [0, 0] }"),
    Mistake(
      start + "[[outage]]\nadapter = 1\nat = \"1s\"\nfor = \"2s\"\nevery = \"2s\"",
      "6: outage 1: adapter: there is no adapter 1; the receivers have 1, numbered from 0",
      "9: outage 1: every: must be longer than for, or the faults overlap"),
    Mistake(
      start + "[[clock-step]]\nat = \"1s\"\nby = 5", "7: clock-step 1: by: must be a text such as \"-1h\", not an integer"),
    Mistake(
      start + "[[clock-step]]\nat = \"1s\"\nby = \"+1h\"",
      "7: clock-step 1: by: \"+1h\" is not a step of a clock; write a duration such as \"1h\", \"-30s\" or \"18000d\""),
    Mistake(
      start + "[crowd]\ndevice = 3", "5: crowd: devices: is missing; it is required here",
      "5: crowd: from: is missing; it is required here",
      "5: crowd: to: is missing; it is required here", "6: crowd: device: there is no such key; did you mean devices?"),
  ])
  func `an error in a scenario is reported with its line`(mistake: Mistake) {
    do throws(ConfigurationError) {
      Issue.record("accepted as \(try Scenario.parse(text: mistake.text, name: "t"))")
    } catch {
      #expect(error.description == mistake.messages.map { "t:\($0)" }.joined(separator: "\n"))
    }
  }

  // MARK: Venues

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

  private static func scenario(_ text: String) throws(ConfigurationError) -> Scenario {
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
    #expect(scenario.wanderers == [Wanderer(visitor: 1, levels: ["first", "ground"], pause: .seconds(3))])
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

  /// A shipped scenario with a few changed characters.
  ///
  /// It is either accepted and runs, or is refused with messages of one line each.
  @Test(arguments: [1, UInt64.random(in: .min ... .max)])
  func `a mutated scenario is refused with messages of one line, or runs`(seed: UInt64) throws {
    print("scenario fuzz seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let example = Array(try Fixture.text("../../Docs/examples/scenarios/quiet-shop.toml"))
    let tokens = [
      "\"1s\"", "[", "]", "{}", "0", "-1", "1e300", "nan", "\"366d\"", "\"anna\"", "\n", "=", "every = \"1ms\"\n", "at = \"0s\"\n",
    ]
    for round in 0..<150 {
      var text = example
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<text.count, using: &random)
        let end = Swift.min(text.count, place + Int.random(in: 0...6, using: &random))
        text.replaceSubrange(place..<end, with: tokens.randomElement(using: &random) ?? "")
      }
      do throws(ConfigurationError) {
        var scenario = try Scenario.parse(text: String(text), name: "t")
        scenario.duration = Swift.min(scenario.duration, .seconds(60))
        var simulator = Simulator(scenario, seed: seed, hasCrowd: false)
        var trial = EngineTrial(scenario)
        while let step = simulator.next() { trial.take(step) }
        _ = trial.score(against: VenueTruth(scenario, seed: seed))
      } catch {
        for line in error.description.split(separator: "\n", omittingEmptySubsequences: false) {
          #expect(line.wholeMatch(of: /t:[1-9][0-9]*(:[1-9][0-9]*)?: [^\p{Cc}]+/) != nil, "seed \(seed) round \(round): \(line)")
        }
      }
    }
  }

  @Test(arguments: ["quiet-shop", "busy-mall", "museum", "flaky-dongle", "still-beacon-month"])
  func `a shipped scenario is valid and has regions`(name: String) throws {
    let scenario = try Scenario.parse(text: Fixture.text("../../Docs/examples/scenarios/\(name).toml"), name: name)
    #expect(!scenario.regions.isEmpty && !scenario.beacons.isEmpty)
  }

  @Test func `a scenario has a position on the earth and a carried receiver`() throws {
    let text = """
      name = "park"
      duration = "1h"
      [earth]
      latitude = -33.5
      longitude = 151
      bearing = 30
      [positioning]
      carried-by = "anna"
      interval = "2s"
      noise = 4
      drift = 3
      drift-time = "2m"
      speed-noise = 0.2
      [[positioning-outage]]
      at = "5m"
      for = "1m"
      silent = true
      [[visitor]]
      name = "anna"
      path = [{ at = "0s", place = [0, 0] }]
      [[region]]
      identifier = "circle"
      latitude = -33.5
      longitude = 151
      radius = 100
      """
    let center = try #require(Coordinate(latitude: -33.5, longitude: 151))
    var expected = Scenario(name: "park", duration: .seconds(3600))
    expected.site = VenueSite(origin: center, bearing: 30)
    expected.positioning = PositionReceiver(
      position: .carried(by: 0), interval: .seconds(2), noise: 4, drift: 3, driftTime: .seconds(120), speedNoise: 0.2)
    expected.faults = [Fault(.positionOutage(isSilent: true), at: .seconds(300), lasts: .seconds(60))]
    expected.visitors = [VisitorPath([.init(at: .zero, place: PlanPoint(x: 0, y: 0))])]
    expected.regions = [.circle(CircularRegion(identifier: "circle", circle: try #require(Circle(center: center, radius: 100))))]
    #expect(try Scenario.parse(text: text, name: "t") == expected)
    let dumb = text.replacingOccurrences(of: "speed-noise = 0.2", with: "speed = false")
    #expect(try Scenario.parse(text: dumb, name: "t").positioning?.speedNoise == nil)
  }

  @Test(arguments: [
    Mistake(
      start + "[[region]]\nidentifier = \"c\"\nlatitude = 1\nlongitude = 2\nradius = 100",
      "5: region: has a circle, which requires a location; add [earth] and [positioning]"),
    Mistake(
      start + "[positioning]\nposition = [0, 0]",
      "5: positioning: requires [earth], or a venue with a [frame], on which it reports locations"),
    Mistake(
      start + "[earth]\nlatitude = 1\nlongitude = 2\n[positioning]\ndrift-time = \"1m\"",
      "8: positioning: has no place; add position or carried-by", "9: positioning: drift-time: requires drift"),
    Mistake(
      start + "[earth]\nlatitude = 1\nlongitude = 2\n[positioning]\nposition = [0, 0]\nspeed = false\nspeed-noise = 1",
      "11: positioning: speed-noise: has no effect with speed = false; remove one of them"),
    Mistake(
      start + "[[positioning-outage]]\nat = \"1s\"\nfor = \"1s\"",
      "5: positioning-outage: requires [positioning]"),
  ])
  func `settings without a position on the earth are reported`(mistake: Mistake) {
    let error = #expect(throws: ConfigurationError.self) { try Scenario.parse(text: mistake.text, name: "t") }
    #expect(error?.description == mistake.messages.map { "t:\($0)" }.joined(separator: "\n"))
  }
}

import Beacons
import Foundation
import Geodesy
import Instants
import MonitorConfiguration
import TestSupport
import Testing
import Venues

/// Venue files: the values of valid ones, and damage.
@Suite struct VenueFileTests {
  static let head = "format = 1\nuuid = \"\(galleryUUID)\"\n"
  static let beacon = "[[beacon]]\nmajor = 1\nminor = 2\nposition = [1, 2]\n"

  private func venue(_ text: String, name: String = "t") throws -> Venue { try VenueDocument.parse(text: text, name: name).venue }

  @Test func `a list of beacons is a venue with one level`() throws {
    let venue = try venue(Self.head + Self.beacon, name: "/etc/beaconmon/gallery.toml")
    let identity = BeaconIdentity(uuid: try BeaconUUID(galleryUUID), major: 1, minor: 2)
    #expect(
      venue
        == Venue(id: "gallery", uuids: [identity.uuid], beacons: [PlannedBeacon(identity: identity, position: PlanPoint(x: 1, y: 2))]))
    #expect(try VenueDocument.parse(text: Self.head + Self.beacon, name: "t").warnings.isEmpty)
  }

  @Test func `a survey is read beside the venue file, and its faults are reported with its lines`() throws {
    let folder = try TemporaryDirectory()
    let (file, survey) = (folder.file("hall.toml"), folder.file("survey.csv"))
    func write(_ text: String, _ path: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
    func problems() throws -> String { "\(try #require(throws: ConfigurationError.self) { try VenueDocument.read(file: file) })" }
    let level = "[[level]]\nid = \"ground\"\nwalkable = [[[0, 0], [4, 0], [4, 4], [0, 4]]]\n"
    try write("survey = \"survey.csv\"\n" + Self.head + level + Self.beacon, file)
    #expect(try problems() == "\(file):1: survey: \(survey): cannot be read: No such file or directory; check the path")
    try write("x_m,y_m,z_m,minor,rssi\n1,1,1.8,2,-70\n1,1,1.8,2,loud\n", survey)
    #expect(try problems() == "\(survey):3: rssi: \"loud\" is not a number")
    try write("x_m,y_m,z_m,minor,rssi\n1,1,1.8,2,-70\n1,1,1.8,2,-71\n", survey)
    #expect(try problems() == "\(survey):3: line 2 has this beacon at this place already; write one line with the mean RSSI")
    try write(String(repeating: "\n", count: (4 << 20) + 1), survey)
    #expect(try problems() == "\(survey): is larger than 4 MiB, the limit for a survey; check the path")
    try write("x_m,y_m,z_m,minor,rssi\n1,1,1.8,2,-70\n3,5.5,1.8,2,-70\n7,1,1.8,2,-70\n", survey)
    #expect(
      try VenueDocument.read(file: file).warnings.map(\.description) == [
        "\(file):1: survey: survey.csv has places (1) that are more than 2 m outside the walkable areas of their level, the first at [7, 1]; "
          + "correct x_m and y_m, the level or the areas"
      ])
    try write("x_m,y_m,z_m,minor,rssi\n1,1,1.8,2,-70\n1,1,1.8,9,-70\n", survey)
    let document = try VenueDocument.read(file: file)
    #expect(document.venue.survey?.readings.count == 1 && document.venue.toml.contains("survey = \"survey.csv\""))
    #expect(
      document.warnings.map(\.description) == [
        "\(file):1: survey: survey.csv has beacons that the venue does not have, and their 1 lines are ignored; add a [[beacon]] for each of them",
        "\(file):1: survey: survey.csv has fewer places (1) than the 2 that 16 m\u{B2} need, so positions can become worse than without it; "
          + "survey more places, or remove the key",
      ])
  }

  @Test func `every key of a venue is read`() throws {
    let text = """
      format = 1
      id = "museum"
      name = { en = "Gallery", de = "Galerie" }
      uuid = ["\(galleryUUID)", "11111111-2222-3333-4444-555555555555"]
      majors = { entry = 1, exhibit = 2 }
      [frame]
      latitude = 48.13715
      longitude = 11.57549
      bearing = 12.0
      [[level]]
      id = "ground"
      ordinal = 0
      name = "Ground floor"
      short-name = "0"
      plan = { image = "plans/ground.png", size = [2400, 1600] }
      anchors = [
        { pixel = [120, 80], latitude = 48.13740, longitude = 11.57520 },
        { pixel = [2280, 1500], latitude = 48.13690, longitude = 11.57610 },
      ]
      walkable = [[[0, 0], [40, 0], [40, 26], [0, 26]]]
      voids = [[[1, 1], [2, 1], [2, 2]]]
      wheelchair = "yes"
      [[level]]
      id = "first"
      ordinal = 1
      walkable = [[[0, 0], [40, 0], [40, 26], [0, 26]]]
      [[wall]]
      level = "ground"
      from = [10, 0]
      to = [10, 12]
      attenuation = 6
      [[beacon]]
      major = 2
      minor = 3
      level = "ground"
      position = [12.4, 8.1]
      height = 2.6
      power = -63.5
      name = "above the case"
      [[beacon]]
      uuid = "11111111-2222-3333-4444-555555555555"
      major = 9
      minor = 9
      level = "first"
      position = [1, 1]
      [[place]]
      id = "lodestone"
      kind = "exhibit"
      level = "ground"
      position = [12.0, 7.5]
      beacon = [2, 3]
      radius = 3
      landmark = true
      title = { en = "Lodestone", de = "Magnetstein" }
      text = { en = "A stone\\nthat pulls iron." }
      links = ["https://example.org/a", { url = "https://example.org/b", title = "Page" }]
      image = "lodestone.jpg"
      audio = { en = "en/lodestone.ogg", de = "https://example.org/de.ogg" }
      [[place]]
      id = "room-5"
      area = [[0, 0], [4, 0], [4, 2], [0, 2]]
      level = "first"
      [[place]]
      id = "desk"
      beacon = [9, 9]
      [[node]]
      id = "door"
      level = "ground"
      position = [10, 13]
      place = "lodestone"
      door = true
      [[node]]
      id = "up"
      level = "first"
      position = [10, 13]
      [[edge]]
      from = "door"
      to = "up"
      kind = "stairs"
      two-way = false
      wheelchair = "no"
      length = 12.5
      time = "40s"
      steps = 20
      slope = 0.6
      width = 1.2
      closed = true
      [[lift]]
      id = "lift"
      stops = ["door", "up"]
      board = "60s"
      each-level = "10s"
      wheelchair = "yes"
      closed = true
      [[appointment]]
      title = { en = "Tour" }
      at = 2026-12-01T15:00:00+01:00
      place = "lodestone"
      margin = "10m"
      """
    let venue = try venue(text)
    let (first, second) = (try BeaconUUID(galleryUUID), try BeaconUUID("11111111-2222-3333-4444-555555555555"))
    func square(_ width: Double, _ height: Double) throws -> PlanPolygon {
      try #require(PlanPolygon(from: PlanPoint(x: 0, y: 0), to: PlanPoint(x: width, y: height)))
    }
    let (hall, room) = (try square(40, 26), try square(4, 2))
    let origin = try #require(Coordinate(latitude: 48.13715, longitude: 11.57549))
    let tour = try #require(Instant(rfc3339: "2026-12-01T14:00:00Z"))
    #expect((venue.id, venue.name) == ("museum", ["en": "Gallery", "de": "Galerie"]))
    #expect((venue.uuids, venue.roles) == ([first, second], [1: "entry", 2: "exhibit"]))
    #expect(venue.frame == VenueFrame(origin: origin, bearing: 12))
    let ground = try #require(venue.level("ground"))
    #expect((ground.name, ground.shortName, ground.walkable) == ("Ground floor", "0", [hall]))
    #expect(ground.voids.map(\.area) == [0.5])
    #expect(ground.wheelchair == .yes)
    let picture = try #require(ground.picture)
    #expect((picture.image, picture.width, picture.height) == ("plans/ground.png", 2400, 1600))
    #expect(picture.transform?.anchors.count == 2)
    #expect(picture.transform?.yAxis == .down)
    #expect(
      venue.walls == [VenueWall(level: "ground", from: PlanPoint(x: 10, y: 0), to: PlanPoint(x: 10, y: 12), attenuation: 6)])
    #expect(
      venue.beacons == [
        PlannedBeacon(
          identity: BeaconIdentity(uuid: first, major: 2, minor: 3), level: "ground", position: PlanPoint(x: 12.4, y: 8.1), height: 2.6,
          power: -63.5, name: "above the case"),
        PlannedBeacon(identity: BeaconIdentity(uuid: second, major: 9, minor: 9), level: "first", position: PlanPoint(x: 1, y: 1)),
      ])
    #expect(
      venue.places[0]
        == Place(
          id: "lodestone", kind: .exhibit, level: "ground", position: PlanPoint(x: 12, y: 7.5), radius: 3,
          beacon: BeaconIdentity(uuid: first, major: 2, minor: 3), title: ["en": "Lodestone", "de": "Magnetstein"],
          text: ["en": "A stone\nthat pulls iron."],
          links: [Place.Link(address: "https://example.org/a"), Place.Link(address: "https://example.org/b", title: "Page")],
          image: "lodestone.jpg", audio: ["en": "en/lodestone.ogg", "de": "https://example.org/de.ogg"], isLandmark: true))
    #expect(venue.places[1] == Place(id: "room-5", level: "first", position: PlanPoint(x: 2, y: 1), area: room))
    #expect(
      venue.places[2] == Place(id: "desk", level: "first", position: PlanPoint(x: 1, y: 1), beacon: venue.beacons[1].identity))
    #expect(venue.nodes[0] == RouteNode(id: "door", level: "ground", position: PlanPoint(x: 10, y: 13), place: "lodestone", isDoor: true))
    #expect(
      venue.edges == [
        RouteEdge(
          from: "door", to: "up", kind: .stairs, isTwoWay: false, wheelchair: .no, length: 12.5, time: .seconds(40), steps: 20, slope: 0.6,
          width: 1.2, isClosed: true)
      ])
    #expect(
      venue.lifts == [
        RouteLift(id: "lift", stops: ["door", "up"], boardTime: .seconds(60), levelTime: .seconds(10), wheelchair: .yes, isClosed: true)
      ])
    #expect(
      venue.appointments == [
        Appointment(
          title: ["en": "Tour"], at: tour, place: "lodestone", margin: .seconds(600))
      ])
  }

  @Test func `the first language of the file is the default`() throws {
    let text = Self.head + "name = { zu = \"Igalari\", en = \"Gallery\", de = \"Galerie\" }\n"
    #expect(try venue(text).name(preferring: []) == "Igalari")
    #expect(try venue(text).name(preferring: ["de-AT"]) == "Galerie")
  }

  @Test func `ten thousand places are read within seconds, and one more is too many`() throws {
    func places(_ count: Int) -> String {
      "format = 1\n" + (0..<count).map { "[[place]]\nid=\"p\($0)\"\nposition=[1,2]\n" }.joined()
    }
    let clock = ContinuousClock()
    let start = clock.now
    let count = try venue(places(10_000)).places.count
    let time = clock.now - start
    #expect(count == 10_000)
    #expect(time < .seconds(10), "\(time)")
    let error = #expect(throws: ConfigurationError.self) { try venue(places(10_001)) }
    #expect(error?.description == "t:2: place: has 10001 places; at most 10000 are allowed, so split the venue")
  }

  // MARK: Damage

  static var gallery: String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../Docs/examples/venues/gallery.toml").standardized.path
  }

  @Test func `the shipped gallery has the beacons of the recorded walks and no warnings`() throws {
    let document = try VenueDocument.read(file: Self.gallery)
    #expect(document.warnings.map(\.description) == [])
    let rows = try Fixture.text("gallery.beacons.csv").split(separator: "\n").dropFirst().map {
      $0.split(separator: ",").compactMap { Double($0) }
    }
    #expect(rows.count == 12)
    for (row, beacon) in zip(rows, document.venue.beacons) {
      #expect([Double(beacon.identity.minor), beacon.position.x, beacon.position.y, beacon.height ?? .nan] == row)
    }
    let catalogue = Catalogue([document.venue])
    #expect(document.venue.beacons.allSatisfy { catalogue.place(of: $0.identity)?.title.languages == ["en", "de"] })
    // The blocked cells of the data set, without the strip at the end of the hall.
    let hall = try #require(document.venue.level("ground"))
    #expect(hall.voids.reduce(0) { $0 + $1.area } / 0.25 == 634)
    #expect(hall.isWalkable(PlanPoint(x: 6, y: 9)) == true)
    #expect(hall.isWalkable(PlanPoint(x: 8, y: 6)) == false)
  }

  /// The shipped gallery with a few changed characters.
  @Test(arguments: [1, UInt64.random(in: .min ... .max)])
  func `a mutated venue is refused with messages of one line, or read`(seed: UInt64) throws {
    print("venue fuzz seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let example = Array(try String(contentsOfFile: Self.gallery, encoding: .utf8))
    let tokens = [
      "[", "]", "[[", "]]", "{", "}", "[0, 0]", "-1", "1e300", "nan", "inf", "\"ground\"", "\n", "=", "walkable = []\n", "[[level]]\n",
      "[[node]]\n", "beacon = [1, 3]\n", "\u{202E}", "<b>", "[[[0, 0], [1, 1], [0, 1], [1, 0]]]", "\"\"", "format = 2\n", "\0",
    ]
    for round in 0..<60 {
      var text = example
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let start = Int.random(in: 0...text.count, using: &random)
        let end = min(text.count, start + Int.random(in: 0...12, using: &random))
        text.replaceSubrange(start..<end, with: tokens.randomElement(using: &random) ?? "")
      }
      do throws(ConfigurationError) {
        let document = try VenueDocument.parse(text: String(text), name: "t")
        for warning in document.warnings {
          #expect(warning.description.wholeMatch(of: /t:[1-9][0-9]*: [^\p{Cc}]+/) != nil, "seed \(seed) round \(round): \(warning)")
        }
        #expect(document.venue.beacons.allSatisfy { document.venue.level($0.level) != nil && $0.position.isFinite })
      } catch {
        for line in error.description.split(separator: "\n", omittingEmptySubsequences: false) {
          #expect(line.wholeMatch(of: /t:[1-9][0-9]*(:[1-9][0-9]*)?: [^\p{Cc}]+/) != nil, "seed \(seed) round \(round): \(line)")
        }
      }
    }
  }
}

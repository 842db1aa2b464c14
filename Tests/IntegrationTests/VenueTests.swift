import Foundation
import TestSupport
import Testing

/// Venue files in a daemon, as a Python client sees them.
@Suite struct VenueTests {
  static let gallery = """
    format = 1
    name = { en = "Gallery", de = "Galerie" }
    uuid = "\(CaptureOctets.uuid)"
    [frame]
    latitude = 48.0
    longitude = 11.0
    [[level]]
    id = "ground"
    name = { en = "Ground floor", de = "Erdgeschoss" }
    walkable = [[[0, 0], [20, 0], [20, 10], [0, 10]]]
    [[beacon]]
    major = 1
    minor = 1
    position = [2, 3]
    [[place]]
    id = "lodestone"
    kind = "exhibit"
    beacon = [1, 1]
    title = { en = "Lodestone", de = "Magnetstein" }
    text = { en = "A stone that pulls iron.", de = "Ein Stein, der Eisen anzieht." }
    links = [{ url = "https://example.org", title = { en = "More" } }]
    image = "lodestone.jpg"
    [[place]]
    id = "desk"
    kind = "desk"
    position = [12, 3]

    """

  private func scene(_ more: String = "") throws -> SessionScene {
    try SessionScene(config: "venues = [\"gallery.toml\"]\n\(more)" + Stage.hall, files: ["gallery.toml": Self.gallery])
  }

  /// Returns the first value of the answer, or the name and the message of the error as a text.
  private func call(_ scene: SessionScene, _ member: String, _ signature: String, _ arguments: [JSON]) throws -> JSON {
    switch try scene.client.call("org.beaconmon.Monitor1.Venue", member, signature: signature, arguments: arguments) {
    case .values(let values): return values.first ?? .null
    case .error(let name, let message):
      return .text("\(name.replacing("org.beaconmon.Monitor1.Error.", with: "")): \(message)")
    }
  }

  private func ids(_ places: JSON) -> [String] { (places.list ?? []).map { $0["id"]?.text ?? "" } }

  private func places(_ scene: SessionScene, _ options: JSON = [:]) throws -> JSON { try call(scene, "Places", "a{sv}", [options]) }

  private func near(_ scene: SessionScene, _ point: JSON, _ options: JSON = [:]) throws -> JSON {
    try call(scene, "PlacesNear", "a{sv}a{sv}", [point, options])
  }

  @Test func `learned offsets can be forgotten, for all receivers or those of a venue`() throws {
    let scene = try scene()
    #expect(try call(scene, "ResetLearning", "a{sv}", [[:]]) == 0)
    #expect(try call(scene, "ResetLearning", "a{sv}", [["venue": "gallery", "adapter": "00:00:00:00:00:01"]]) == 0)
    #expect(
      try call(scene, "ResetLearning", "a{sv}", [["venue": "shop"]])
        == "NoSuchVenue: there is no venue \"shop\"; Plans lists the levels of all venues")
    let venues = try #require(try scene.client.property("Venues", "Manager")?.list)
    #expect(venues.map { $0["venue"] } == ["gallery"])
  }

  private func search(_ scene: SessionScene, _ text: String, _ category: String) throws -> JSON {
    try call(scene, "Search", "ssa{sv}", [.text(text), .text(category), [:]])
  }

  @Test func `an event and a snapshot name the place of their beacon in the language of the daemon`() throws {
    let scene = try scene("language = \"de\"\n")
    let session = try scene.client.openSession()
    _ = try scene.client.range(["uuid": .text(CaptureOctets.uuid)], on: session)
    let beacon = try #require(try scene.client.nextRanged().beacons.first)
    #expect(beacon["place"] == "Magnetstein" && beacon["placeId"] == "lodestone")
    let enter = try #require(scene.client.signals.first { $0.name == "RegionEvent" })
    #expect(enter.arguments.last?["place"] == "Magnetstein" && enter.arguments.last?["placeId"] == "lodestone")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a client reads places in its language`() throws {
    let scene = try scene()
    let places = try places(scene)
    #expect(ids(places) == ["lodestone", "desk"])
    let titles = (places.list ?? []).map { $0["title"]?.text ?? "" }
    #expect(titles == ["Lodestone", "desk"])
    #expect(places.list?.first?["text"] == nil)
    let place = try call(scene, "Place", "sa{sv}", ["lodestone", ["locale": "de_CH.UTF-8"]])
    #expect(place["title"]?.text == "Magnetstein")
    #expect(place["text"]?.text == "Ein Stein, der Eisen anzieht.")
    #expect(place["links"]?.list?.first?["url"]?.text == "https://example.org")
    #expect(place["image"]?.text == "\(scene.stage.folder.path)/lodestone.jpg")
    let numbers = ["x", "floor", "minor"].map { place[$0]?.number ?? -1 }
    #expect(numbers == [2, 0, 1])
    let second = try self.places(scene, ["offset": 1])
    #expect(ids(second) == ["desk"])
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a client finds the nearest places and searches for words`() throws {
    let scene = try scene()
    let onPlan = try near(scene, ["x": 11, "y": 3])
    #expect(ids(onPlan) == ["desk", "lodestone"])
    let onEarth = try near(scene, ["latitude": 48, "longitude": 11], ["limit": 1])
    #expect(ids(onEarth) == ["lodestone"])
    #expect(onEarth.list?.first?["distance"]?.number == 3.61)
    #expect(try ids(search(scene, "magnet", "")) == ["lodestone"])
    #expect(try ids(search(scene, "", "desk")) == ["desk"])
    #expect(try ids(search(scene, "unicorn", "")).isEmpty)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a client reads the plan of a level`() throws {
    let scene = try scene()
    let plans = try call(scene, "Plans", "a{sv}", [["locale": "de"]])
    #expect(plans.list?.first?["name"]?.text == "Erdgeschoss")
    let plan = try call(scene, "Plan", "sa{sv}", ["ground", [:]])
    #expect(plan["venueName"]?.text == "Gallery")
    #expect(plan["latitude"]?.number == 48)
    #expect(plan["walkable"]?.list?.first?["points"]?.list?.count == 4)
    #expect(plan["beacons"]?.list?.first?["y"]?.number == 3)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a client reads the survey of a level page by page`() throws {
    let readings = (0..<1200).map { "\($0 % 20).5,\($0 / 20).25,1.2,1,-\(50 + $0 % 40).5\n" }.joined()
    let scene = try SessionScene(
      config: "venues = [\"gallery.toml\"]\n" + Stage.hall,
      files: ["gallery.toml": "survey = \"walk.csv\"\n\(Self.gallery)", "walk.csv": "x_m,y_m,z_m,minor,rssi\n\(readings)"])
    let first = try call(scene, "Survey", "sa{sv}", ["ground", [:]])
    #expect(first.list?.count == 1000 && first.list?[1]["x"]?.number == 1.5 && first.list?[1]["rssi"]?.number == -51.5)
    #expect(first.list?[21]["y"]?.number == 1.25 && first.list?[0]["minor"]?.number == 1)
    let last = try call(scene, "Survey", "sa{sv}", ["ground", ["venue": "gallery", "offset": 1000]])
    #expect(last.list?.count == 200 && last.list?[0]["y"]?.number == 50.25)
    #expect(try call(scene, "Survey", "sa{sv}", ["roof", [:]]).text == "NoSuchLevel: there is no level \"roof\"; the levels are ground")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a wrong request gets an error that names a valid one`() throws {
    let scene = try scene()
    let unicorn = try call(scene, "Place", "sa{sv}", ["unicorn", [:]])
    #expect(unicorn.text == "NoSuchPlace: there is no place \"unicorn\"; Places lists the places")
    let roof = try call(scene, "Plan", "sa{sv}", ["roof", [:]])
    #expect(roof.text == "NoSuchLevel: there is no level \"roof\"; the levels are ground")
    #expect(try places(scene, ["level": "roof"]).text == roof.text)
    #expect(try near(scene, ["x": 1, "y": 1], ["level": "roof"]).text == roof.text)
    let typo = try near(scene, ["latitude": 48, "longitude": 11], ["level": "grund"])
    #expect(typo.text == "NoSuchLevel: there is no level \"grund\"; did you mean \"ground\"?")
    let north = try places(scene, ["venue": "north"])
    #expect(north.text == "NoSuchVenue: there is no venue \"north\"; Plans lists the levels of all venues")
    let color = try places(scene, ["color": "red"])
    #expect(color.text == "InvalidOptions: unknown option \"color\"; Places has locale, venue, level, offset, limit, areas")
    let half = try near(scene, ["latitude": 48])
    #expect(half.text == "InvalidOptions: a point is latitude and longitude in degrees, or x and y in metres on the plan")
    let category = try search(scene, "", "exibit")
    #expect(category.text?.hasPrefix("InvalidOptions: category \"exibit\" is unknown") == true)
    let negative = try places(scene, ["limit": -1])
    #expect(negative.text == "InvalidOptions: limit must not be negative")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `the note of a region names the place or the level that no venue has`() throws {
    func region(_ identifier: String, _ key: String) -> String { "[[region]]\nidentifier = \"\(identifier)\"\n\(key)\n" }
    let scene = try scene(
      region("attic", "place = \"attic\"") + region("roof", "level = \"roof\"") + region("counter", "place = \"desk\""))
    func note(_ identifier: String) throws -> String? {
      try scene.client.property("Note", "Region", at: "\(BusClient.root)/region/\(identifier)")?.text
    }
    #expect(try note("attic") == "no venue in use has the place attic; correct the region, or add the place attic to a venue file")
    #expect(try note("roof") == "no venue in use has the level roof; correct the region, or add the level roof to a venue file")
    #expect(try note("counter")?.hasPrefix("no indoor position yet") == true)
  }

  @Test func `a reload reads the venues again, and keeps the old ones if a file is wrong`() throws {
    let scene = try scene()
    _ = try scene.stage.file("gallery.toml", Self.gallery + "[[place]]\nid = \"exit\"\nposition = [1, 1]\n")
    scene.daemon.signal(SIGHUP)
    try wait(for: "the reload") { try ids(places(scene)) == ["lodestone", "desk", "exit"] }
    _ = try scene.stage.file("gallery.toml", "format = 9\n")
    scene.daemon.signal(SIGHUP)
    try wait(for: "the reload") { try scene.client.property("RefusedReload", "Manager") != nil }
    #expect(
      try scene.client.property("RefusedReload", "Manager")?["reason"]?.text
        == "\(scene.stage.folder.path)/gallery.toml:1: format: 9 is newer than this program, which reads format 1; install a newer version")
    #expect(try ids(places(scene)) == ["lodestone", "desk", "exit"])
    scene.daemon.signal(SIGTERM)
  }

  @Test(.enabled(if: geteuid() == 0, "requires root to run as another user"))
  func `the policy of the bus lets every user read the venues`() throws {
    let scene = try ConsentScene()
    let none: JSON = []
    let reply = try scene.client.call("org.beaconmon.Monitor1.Venue", "Places", signature: "a{sv}", arguments: [[:]])
    #expect(reply == .values([none]))
  }

  @Test func `config check prints the warnings of venues with their lines`() throws {
    let stage = try Stage()
    let venue = try stage.file("gallery.toml", Self.gallery + "colour = 1\n")
    let run = try CommandLine(["config", "check", stage.file("config.toml", "venues = [\"gallery.toml\"]\n")])
    #expect(run.status == 0)
    #expect(run.output.first?.hasSuffix("config.toml: valid, 0 regions, 0 actions, 1 venue, 2 warnings") == true)
    #expect(run.output.dropFirst().first?.hasPrefix("\(venue):27: warning: place \"desk\": unknown key \"colour\";") == true)
  }
}

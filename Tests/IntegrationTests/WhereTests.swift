import Beaconmon
import Foundation
import TestSupport
import Testing

/// The places of locations in words, for the command line, the Swift library and a Python client.
@Suite(.serialized, .ownThread) struct WhereTests {
  /// A device at the lodestone of `VenueTests.gallery`, or elsewhere.
  private static func config(_ latitude: Double, _ longitude: Double, venues: String = "venues = [\"gallery.toml\"]") -> String {
    """
    \(venues)
    [location.fixed]
    latitude = \(latitude)
    longitude = \(longitude)
    accuracy = 1.0
    floor = 0
    [[place]]
    name = { en = "Office", de = "Büro" }
    latitude = 52.52
    longitude = 13.405
    radius = 60

    """
  }

  private static let lodestone = (48.000_027, 11.000_026_8)

  private func scene(_ place: (Double, Double), venues: String = "venues = [\"gallery.toml\"]") throws -> SessionScene {
    try SessionScene(config: Self.config(place.0, place.1, venues: venues) + Stage.hall, files: ["gallery.toml": VenueTests.gallery])
  }

  private func run(_ scene: SessionScene, _ arguments: String...) throws -> CommandLine {
    try CommandLine(arguments + ["--bus", scene.stage.bus.address])
  }

  @Test func `where prints the place, the floor and the nearest places in the language of the option`() throws {
    let scene = try scene(Self.lodestone)
    let german = try run(scene, "where", "--language", "de")
    #expect(german.errors == [] && german.status == 0)
    #expect(german.output.count == 3)
    #expect(german.output.first?.hasPrefix("Magnetstein, Erdgeschoss, Galerie  ") == true)
    #expect(german.output.dropFirst().map { $0.split(separator: " ").first ?? "" } == ["Magnetstein", "desk"])
    let json = try JSON(parsing: run(scene, "where", "--json", "--language", "en").output.first ?? "")
    #expect(json["description"]?.text == "Lodestone, Ground floor, Gallery")
    #expect(json["placeId"]?.text == "lodestone" && json["level"]?.text == "ground" && json["venue"]?.text == "gallery")
    #expect(json["floor"]?.number == 0 && json["horizontalAccuracy"]?.number == 1)
    #expect(json["nearest"]?.list?.map { $0["id"]?.text } == ["lodestone", "desk"])
    scene.daemon.signal(SIGTERM)
  }

  @Test func `where names an own place outside of the venues, and explains the lack of any`() throws {
    let scene = try scene((52.52, 13.405))
    let office = try run(scene, "where", "--timeout", "500ms", "--language", "en")
    #expect(office.output.first?.hasPrefix("Office  ") == true && office.output.count == 1)
    scene.daemon.signal(SIGTERM)

    let outside = try self.scene((52.6, 13.405))
    let nowhere = try run(outside, "where", "--timeout", "500ms", "--language", "en")
    #expect(nowhere.errors == ["beaconmon: this device is in no known venue (\"Gallery\"): its location is outside of them"])
    #expect(nowhere.status == 75 && nowhere.output == [])
    outside.daemon.signal(SIGTERM)

    let bare = try self.scene((52.6, 13.405), venues: "")
    let none = try run(bare, "where")
    #expect(
      none.errors == [
        "beaconmon: beaconmond has no venue; add its file to beaconmon.toml, such as venues = [\"gallery.toml\"], and reload beaconmond"
      ])
    #expect(none.status == 69)
    bare.daemon.signal(SIGTERM)
  }

  @Test func `where needs the same consent as a location`() throws {
    let scene = try scene(Self.lodestone)
    _ = try run(scene, "privacy", "off")
    let refused = try run(scene, "where")
    #expect(refused.status == 77 && refused.output == [])
    #expect(refused.errors.first?.contains("location services are switched off") == true, "\(refused.errors)")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `locate prints the names of the place, and its JSON has their keys`() throws {
    let scene = try scene(Self.lodestone)
    let words = try run(scene, "locate", "--timeout", "1s", "--language", "de")
    #expect(words.output.first == "Magnetstein, Erdgeschoss, Galerie")
    let json = try JSON(parsing: run(scene, "locate", "--timeout", "1s", "--json", "--language", "de").output.first ?? "")
    let names = ["description", "place", "placeId", "level", "levelName", "venue", "venueName"].map { json[$0]?.text }
    #expect(names == ["Magnetstein, Erdgeschoss, Galerie", "Magnetstein", "lodestone", "ground", "Erdgeschoss", "gallery", "Galerie"])
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a session receives names in its own language, and others in that of the daemon`() throws {
    let scene = try scene(Self.lodestone)
    let session = try scene.client.openSession()
    _ = try scene.client.updateLocation(["locale": "de_CH.UTF-8"], on: session)
    #expect(try scene.client.nextLocation()["place"] == "Magnetstein")
    let other = try scene.stranger()
    _ = try other.updateLocation(on: try other.openSession())
    #expect(try other.nextLocation()["place"] == "Lodestone")
    #expect(try scene.client.property("Location", "Manager")?["place"]?.text == "Lodestone")
    scene.daemon.signal(SIGTERM)
  }

  // MARK: The Swift library

  @Test func `the library names the place of a location in the language of the program`() async throws {
    let scene = try scene(Self.lodestone)
    let manager = LocationManager(purpose: "Shows the place", bus: .address(scene.stage.bus.address))
    manager.language = "de"
    let location = try await manager.currentLocation(timeout: .seconds(20))
    #expect(location.placemark?.description == "Magnetstein, Erdgeschoss, Galerie" && location.floor == 0)
    for try await update in manager.locationUpdates {
      #expect(update.location?.placemark?.place == "Magnetstein")
      break
    }
    scene.daemon.signal(SIGTERM)
  }

  @Test func `the library reads places and levels without consent`() async throws {
    let scene = try scene(Self.lodestone)
    _ = try run(scene, "privacy", "off")
    let directory = VenueDirectory(bus: .address(scene.stage.bus.address), language: "de")
    let places = try await directory.places()
    #expect(places.map(\.placeID) == ["lodestone", "desk"])
    let place = try await directory.place("lodestone", venue: "gallery")
    #expect(place.title == "Magnetstein" && place.text == "Ein Stein, der Eisen anzieht." && place.beacon?.minor == 1)
    let near = try await directory.places(near: FloorPlan.Point(x: 12, y: 4), venue: "gallery", limit: 1)
    #expect(near.map(\.placeID) == ["desk"] && near.first?.distance == 1)
    let onEarth = try await directory.places(near: LocationCoordinate2D(latitude: 48, longitude: 11), level: "ground")
    #expect(onEarth.map(\.placeID) == ["lodestone", "desk"])
    #expect(try await directory.search("magnet", kind: .exhibit).map(\.placeID) == ["lodestone"])
    #expect(try await directory.levels().map(\.name) == ["Erdgeschoss"])
    let level = try await directory.level("ground")
    #expect(level.walkable.first?.count == 4 && level.beacons.first?.point == FloorPlan.Point(x: 2, y: 3))
    await #expect(throws: VenueError(.noSuchPlace, "there is no place \"unicorn\"; Places lists the places")) {
      try await directory.place("unicorn")
    }
    await #expect(throws: VenueError(.noSuchVenue, "there is no venue \"north\"; Plans lists the levels of all venues")) {
      try await directory.levels(venue: "north")
    }
    scene.daemon.signal(SIGTERM)
    let away = VenueDirectory(bus: .address("unix:path=\(scene.stage.folder.file("none"))"))
    let error = await #expect(throws: VenueError.self) { try await away.levels() }
    #expect(error?.code == .network)
  }

  @Test func `the library monitors a place of the walk through the gallery`() async throws {
    let stage = try Stage()
    var walk = try WalkRecords(path: Stage.walk)
    let feed = try CaptureFeed(stage, header: walk.header)
    let config = try stage.file("config.toml", "venues = [\"\(Programs.repository("Docs/examples/venues/gallery.toml"))\"]\n")
    try feed.write(walk.through(second: 0))
    let daemon = try stage.daemon(config: config, source: feed.path)
    let manager = LocationManager(purpose: "Plays the story", bus: .address(stage.bus.address))
    let diary = DelegateRecorder.of(manager)
    manager.startMonitoring(for: PlaceRegion(level: "ground", venue: "gallery", identifier: "floor"))
    manager.startMonitoring(for: PlaceRegion(place: "lodestone", identifier: "lodestone"))
    manager.startMonitoring(for: PlaceRegion(place: "unicorn", identifier: "unicorn"))
    try diary.wait(for: "began unicorn")
    try feed.write(walk.through(second: .infinity))
    try diary.wait(for: "entered floor")
    try diary.wait(for: "lodestone is outside")
    #expect(!diary.lines.contains("entered unicorn"))
    daemon.signal(SIGTERM)
  }
}

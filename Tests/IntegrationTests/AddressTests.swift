import Foundation
import TestSupport
import Testing

/// Addresses from a local server with the interface of Nominatim, end to end.
@Suite(.serialized, .ownThread) struct AddressTests {
  /// A daemon that does not move, with a server of addresses.
  private final class Scene {
    let server: WebhookServer
    let stage: Stage
    let client: BusClient
    private(set) var daemon: RunningProgram
    private var feeds: [CaptureFeed] = []

    /// - Parameter path: the path of the server, which says how it answers; nil configures none.
    init(_ path: String?, place: (Double, Double) = (48.137_431, 11.575_499), accuracy: Double = 5) throws {
      server = try WebhookServer(encrypted: false)
      stage = try Stage()
      _ = try stage.file("gallery.toml", VenueTests.gallery)
      client = try stage.listener()
      let feed = try CaptureFeed(stage)
      feeds.append(feed)
      let config = try stage.file("config.toml", Self.config(path.map(server.url), place, accuracy, stage))
      daemon = try stage.daemon(config: config, source: feed.path)
      try client.waitForDaemon()
    }

    private static func config(_ url: String?, _ place: (Double, Double), _ accuracy: Double, _ stage: Stage) -> String {
      """
      venues = ["gallery.toml"]
      [journal]
      path = "\(stage.folder.file("journal.db"))"
      [location.fixed]
      latitude = \(place.0)
      longitude = \(place.1)
      accuracy = \(accuracy)
      \(url.map { "[geocoding]\nurl = \"\($0)\"\nlanguage = \"de\"" } ?? "")
      [[place]]
      name = "Office"
      latitude = 52.52
      longitude = 13.405
      radius = 60

      """
    }

    func reload(_ path: String?) throws {
      _ = try stage.file("config.toml", Self.config(path.map(server.url), (48.137_431, 11.575_499), 5, stage))
      daemon.signal(SIGHUP)
    }

    func restart() throws {
      daemon.signal(SIGTERM)
      #expect(try daemon.exitStatus() == 0)
      let feed = try CaptureFeed(stage, named: "feed \(feeds.count)")
      feeds.append(feed)
      daemon = try stage.daemon(config: stage.folder.file("config.toml"), source: feed.path)
      try client.waitForDaemon()
    }

    func run(_ arguments: String...) throws -> CommandLine { try CommandLine(arguments + ["--bus", stage.bus.address]) }
    func locate(_ arguments: String...) throws -> JSON {
      try JSON(
        parsing: CommandLine(["locate", "--timeout", "1s", "--json", "--bus", stage.bus.address] + arguments).output.first ?? "{}")
    }
    func status() throws -> JSON { try client.property("Geocoding", "Manager") ?? .null }
    var maps: String { (try? String(contentsOfFile: "/proc/\(daemon.pid)/maps", encoding: .utf8)) ?? "" }
    var addresses: String { stage.folder.file("addresses") }
  }

  private static let text = "Neues Rathaus, Marienplatz 8, 80331 München, Deutschland"

  @Test func `locate and where have the address of a location that has no name, which is requested once`() throws {
    let scene = try Scene("/address")
    #expect(!scene.maps.contains("libcurl"))
    let location = try scene.locate()
    #expect(location["description"]?.text == Self.text && location["place"] == nil)
    let keys = [
      "name", "thoroughfare", "subThoroughfare", "locality", "subLocality", "administrativeArea", "postalCode", "country", "isoCountryCode",
    ]
    #expect(
      keys.map { location[$0]?.text } == [
        "Neues Rathaus", "Marienplatz", "8", "München", "Altstadt-Lehel", "Bayern", "80331", "Deutschland", "DE",
      ])
    #expect(try scene.run("locate", "--timeout", "1s").output.first == Self.text)
    let here = try scene.run("where", "--timeout", "500ms")
    #expect(here.output.first?.hasPrefix(Self.text) == true && here.status == 0, "\(here.errors)")
    let requests = try scene.server.requests()
    #expect(requests.count == 1 && requests[0].path.contains("lat=48.1374&lon=11.5755&zoom=18&accept-language=de"))
    #expect(requests[0].headers["user-agent"]?.hasPrefix("beaconmond/") == true)
    #expect(try scene.status()["state"] == "answering" && scene.status()["answers"] == 1)
    #expect(try scene.run("status").output.contains { $0.contains(": answering, 1 answer, 1 known address") })
    scene.daemon.signal(SIGTERM)
  }

  @Test func `updates have an address that is known, and do not wait for one`() throws {
    let scene = try Scene("/address")
    let session = try scene.client.openSession()
    _ = try scene.client.updateLocation(on: session)
    #expect(try scene.client.nextLocation()["country"] == nil)
    try wait(for: "the answer") { try scene.status()["answers"] == 1 }
    let other = try scene.stage.listener()
    _ = try other.updateLocation(on: try other.openSession())
    #expect(try other.nextLocation()["country"] == "Deutschland")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a coarse request sends a coarse location, and gets a city`() throws {
    let scene = try Scene("/address")
    let location = try scene.locate("--accuracy", "kilometer")
    #expect(location["description"]?.text == "München, Deutschland" && location["postalCode"] == nil)
    let english = try scene.locate("--accuracy", "hundredMeters", "--language", "en_GB")
    #expect(english["thoroughfare"]?.text == "Marienplatz" && english["subThoroughfare"] == nil)
    let paths = try scene.server.requests().map(\.path)
    #expect(paths.count == 2 && paths[0].contains("lat=48.14&lon=11.58&zoom=10") && paths[1].contains("lat=48.137&lon=11.575&zoom=16"))
    #expect(paths[1].hasSuffix("&accept-language=en-GB"))
    scene.daemon.signal(SIGTERM)
  }

  @Test(arguments: [(48.000_027, 11.000_026_8), (52.52, 13.405)])
  func `names of venues and own places take precedence, and cause no request`(latitude: Double, longitude: Double) throws {
    let scene = try Scene("/address", place: (latitude, longitude), accuracy: 1)
    #expect(try scene.locate()["country"] == nil && scene.locate()["description"] != nil)
    #expect(try scene.server.requests().isEmpty && !scene.maps.contains("libcurl"))
    scene.daemon.signal(SIGTERM)
  }

  @Test func `without a server nothing is requested, loaded or kept`() throws {
    let scene = try Scene(nil)
    #expect(try scene.locate()["latitude"]?.number == 48.137_431 && scene.locate()["description"] == nil)
    #expect(!scene.maps.contains("libcurl"))
    #expect(try scene.status() == .null)
    #expect(try scene.run("where", "--timeout", "500ms").status == 75)
    scene.daemon.signal(SIGTERM)
  }

  @Test(arguments: ["/hang", "/503/120", "/flood", "/deep", "/reset"])
  func `a failing server delays a location by two seconds at most, and the next one not at all`(path: String) throws {
    let scene = try Scene(path)
    let clock = ContinuousClock()
    let start = clock.now
    #expect(try scene.locate()["latitude"] != nil && scene.locate()["description"] == nil)
    #expect(clock.now - start < .seconds(8))
    if path != "/hang" {
      #expect(try scene.status()["state"] == "failing" && scene.status()["note"]?.text?.isEmpty == false)
      #expect(try scene.server.requests().count == 1)
    }
    scene.daemon.signal(SIGTERM)
    #expect(try scene.daemon.exitStatus() == 0)
  }

  @Test func `the address of a location that a program states is not requested`() throws {
    let scene = try Scene("/address")
    _ = try scene.run("privacy", "off")
    let session = try scene.client.openSession()
    let stated: JSON = ["latitude": 47.5, "longitude": 8.5, "horizontalAccuracy": 5]
    _ = try scene.client.call(BusClient.session, "SetManualLocation", at: session, signature: "a{sv}", stated)
    _ = try scene.client.updateLocation(on: session)
    #expect(try scene.client.nextLocation()["source"] == "manual")
    _ = try scene.client.call(BusClient.session, "RequestLocation", at: session, signature: "a{sv}", [:])
    #expect(try scene.server.requests().isEmpty)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `addresses are private, survive a restart, and are removed with the server`() throws {
    let scene = try Scene("/address")
    #expect(try scene.locate()["country"] != nil)
    try scene.restart()
    let mode = try #require(try FileManager.default.attributesOfItem(atPath: scene.addresses)[.posixPermissions] as? Int)
    #expect(mode == 0o600)
    #expect(try scene.locate()["country"] != nil && scene.server.requests().count == 1)
    try scene.reload(nil)
    try wait(for: "the removal") { !FileManager.default.fileExists(atPath: scene.addresses) }
    #expect(try scene.locate()["country"] == nil)
    try scene.reload("/american")
    try wait(for: "another server") { try scene.locate()["description"]?.text == "12 Main Street, Springfield, USA" }
    scene.daemon.signal(SIGTERM)
  }
}

import Addresses
import Geocoding
import Geodesy
import Instants
import Locations
import TestSupport
import Testing

/// The change of the server of addresses by a reload, on a manual clock.
@Suite struct ConfiguredGeocodingTests {
  private final class FakeServer: AddressServer {
    let name: String
    private(set) var completions: [(AddressAnswer) -> Void] = []

    init(_ name: String) { self.name = name }

    func send(_ query: AddressQuery, completion: @escaping (AddressAnswer) -> Void) { completions.append(completion) }
  }

  private final class FakeFile: AddressFile {
    private(set) var saves = 0
    private(set) var removals = 0

    func load(server: String) -> AddressCache { AddressCache(server: server) }
    func save(_ cache: AddressCache) { saves += 1 }
    func remove() { removals += 1 }
  }

  private final class Scene {
    let scheduler = ManualScheduler()
    let file = FakeFile()
    var servers: [FakeServer] = []
    private(set) lazy var geocoding = ConfiguredGeocoding(scheduler, file: { [file] in file }, log: LogLines().logger) { [unowned self] in
      let server = FakeServer($0.url)
      servers.append(server)
      return server
    }
    /// The answers in their order; nil for none.
    var answers: [String?] = []

    func use(_ url: String?, language: String? = nil) {
      geocoding.configure(url.map { GeocodingSettings(url: $0, language: language) })
    }

    func ask(_ number: Int = 1) throws {
      let place = try #require(Coordinate(latitude: Double(number) / 1000, longitude: 11))
      geocoding.service?.lookUp(AddressQuery(place, accuracy: 5)) { [unowned self] in answers.append($0?.name) }
      scheduler.settle()
    }
  }

  @Test func `a start without a server removes the file of an earlier one, and a reload does so once`() {
    let scene = Scene()
    scene.use(nil)
    #expect(scene.geocoding.service == nil && scene.file.removals == 1)
    scene.use(nil)
    #expect(scene.file.removals == 1)
    scene.use("https://a")
    #expect(scene.geocoding.service != nil && scene.file.removals == 1)
    scene.use(nil)
    #expect(scene.geocoding.service == nil && scene.file.removals == 2)
  }

  @Test func `a reload that does not change the server keeps its service and the requests that wait`() throws {
    let scene = Scene()
    scene.use("https://a", language: "de")
    try scene.ask()
    let before = scene.geocoding.service
    scene.use("https://a", language: "de")
    #expect(scene.geocoding.service === before && scene.servers.count == 1 && scene.answers.isEmpty)
  }

  @Test func `requests that wait when the server changes complete without an address`() throws {
    let scene = Scene()
    scene.use("https://a")
    try scene.ask()
    scene.use("https://b")
    #expect(scene.answers == [nil])
    var late = PostalAddress()
    late.name = "late"
    scene.servers[0].completions[0](.address(late))
    #expect(scene.answers == [nil])
    #expect(scene.servers.map(\.name) == ["https://a", "https://b"])
  }

  @Test func `the pause that a server demands applies after a change of the language, but not of the server`() throws {
    let scene = Scene()
    scene.use("https://a", language: "de")
    try scene.ask()
    scene.servers[0].completions[0](.failed("busy", retryAfter: .seconds(600)))
    scene.use("https://a", language: "en")
    try scene.ask(2)
    #expect(scene.servers[1].completions.isEmpty && scene.geocoding.service?.language == "en")
    scene.use("https://b", language: "en")
    try scene.ask(2)
    #expect(scene.servers[2].completions.count == 1)
    scene.use("https://a", language: "en")
    try scene.ask(3)
    #expect(scene.servers[3].completions.count == 1)
  }

  @Test func `answers are stored when the service ends`() throws {
    let scene = Scene()
    scene.use("https://a")
    try scene.ask()
    scene.servers[0].completions[0](.address(nil))
    scene.geocoding.end()
    #expect(scene.file.saves == 1 && scene.file.removals == 0)
  }
}

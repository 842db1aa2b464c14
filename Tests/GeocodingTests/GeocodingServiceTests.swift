import Addresses
import Geocoding
import Geodesy
import Instants
import Locations
import Status
import TestSupport
import Testing

/// Addresses on a manual clock.
@Suite struct GeocodingServiceTests {
  private final class FakeServer: AddressServer {
    let name = "https://example.org"
    var queries: [AddressQuery] = []
    /// The answer to each query; nil for none.
    var answer: AddressAnswer?
    private var waiting: [(AddressAnswer) -> Void] = []
    private let scheduler: ManualScheduler

    init(_ scheduler: ManualScheduler) { self.scheduler = scheduler }

    func send(_ query: AddressQuery, completion: @escaping (AddressAnswer) -> Void) {
      queries.append(query)
      if let answer { scheduler.enqueue { completion(answer) } } else { waiting.append(completion) }
    }

    func reply(_ answer: AddressAnswer) {
      let open = waiting
      waiting = []
      for completion in open { completion(answer) }
    }
  }

  private final class FakeFile: AddressFile {
    var saved: AddressCache?
    var loads = 0
    func load(server: String) -> AddressCache {
      loads += 1
      return saved ?? AddressCache(server: server)
    }
    func save(_ cache: AddressCache) { saved = cache }
    func remove() { saved = nil }
  }

  private final class Scene {
    let scheduler = ManualScheduler()
    let lines = LogLines()
    let server: FakeServer
    let file = FakeFile()
    var service: GeocodingService
    /// The answers in their order; nil for none.
    var answers: [String?] = []
    var changes = 0

    init() {
      server = FakeServer(scheduler)
      server.answer = .address(Scene.address("a"))
      service = GeocodingService(scheduler, server, file, log: lines.logger)
      service.onChange = { [unowned self] in changes += 1 }
    }

    static func address(_ name: String) -> PostalAddress {
      var address = PostalAddress()
      address.name = name
      return address
    }

    func query(_ number: Int = 1) throws -> AddressQuery {
      AddressQuery(try #require(Coordinate(latitude: Double(number) / 1000, longitude: 11)), accuracy: 5)
    }

    func ask(_ number: Int = 1) throws {
      service.lookUp(try query(number)) { [unowned self] in answers.append($0?.name) }
      scheduler.settle()
    }
  }

  @Test func `an address is requested once, and known from then on`() throws {
    let scene = Scene()
    #expect(try scene.service.knownAddress(scene.query()) == nil && scene.file.loads == 1)
    try scene.ask()
    try scene.ask()
    #expect(scene.answers == ["a", "a"] && scene.server.queries.count == 1)
    #expect(try scene.service.knownAddress(scene.query())?.name == "a")
  }

  @Test func `a place without an address is requested once a day`() throws {
    let scene = Scene()
    scene.server.answer = .address(nil)
    try scene.ask()
    try scene.ask()
    #expect(scene.answers == [nil, nil] && scene.server.queries.count == 1)
    scene.scheduler.advance(by: AddressCache.emptyLifetime)
    try scene.ask()
    #expect(scene.server.queries.count == 2)
  }

  @Test func `at most one request is sent a second, and a request waits for two seconds at most`() throws {
    let scene = Scene()
    for number in 0..<10 { try scene.ask(number) }
    #expect(scene.server.queries.count == 1)
    scene.scheduler.advance(by: .milliseconds(999))
    #expect(scene.server.queries.count == 1)
    scene.scheduler.advance(by: .seconds(10))
    // The third query is sent at the deadline of its request, so its answer serves only later requests. The remaining requests end
    // without an address at once.
    #expect(scene.server.queries.count == 3 && scene.answers.count == 10 && scene.answers.compactMap(\.self).count == 2)
    try scene.ask(2)
    #expect(scene.answers.last == "a" && scene.server.queries.count == 3)
    try scene.ask(9)
    #expect(scene.answers.last == "a" && scene.server.queries.count == 4)
  }

  @Test func `the same question of several programs is one request`() throws {
    let scene = Scene()
    scene.server.answer = nil
    for _ in 0..<5 { try scene.ask() }
    scene.server.reply(.address(Scene.address("b")))
    #expect(scene.answers == ["b", "b", "b", "b", "b"] && scene.server.queries.count == 1)
  }

  @Test func `without an answer in time there is no address, and the answer counts for the next request`() throws {
    let scene = Scene()
    scene.server.answer = nil
    try scene.ask()
    scene.scheduler.advance(by: .milliseconds(1999))
    #expect(scene.answers.isEmpty)
    scene.scheduler.advance(by: .milliseconds(1))
    #expect(scene.answers == [nil])
    scene.server.reply(.address(Scene.address("late")))
    try scene.ask()
    #expect(scene.answers == [nil, "late"] && scene.server.queries.count == 1)
  }

  @Test func `a server that fails is retried after increasing pauses, and nothing waits for it`() throws {
    let scene = Scene()
    scene.server.answer = .failed("no route to host", retryAfter: nil)
    try scene.ask()
    #expect(scene.answers == [nil] && scene.service.status.state == .failing && scene.changes == 1)
    #expect(scene.service.status.note == "no route to host; asks again after 10 s")
    try scene.ask()
    #expect(scene.answers.count == 2 && scene.server.queries.count == 1)
    scene.scheduler.advance(by: .seconds(10))
    #expect(scene.service.status.note == "no route to host; asks again with the next request")
    try scene.ask()
    #expect(scene.server.queries.count == 2)
    scene.scheduler.advance(by: .seconds(19))
    // Within two seconds the pause is over, so this request waits for it.
    scene.server.answer = .address(Scene.address("a"))
    try scene.ask()
    #expect(scene.answers.count == 3)
    scene.scheduler.advance(by: .seconds(1))
    #expect(scene.answers.last == "a" && scene.service.status.state == .answering && scene.service.status.note == nil)
    // The state or the note has changed with each of the three answers.
    #expect(scene.lines.all.count == 2 && scene.changes == 3)
  }

  @Test func `the pause that a server demands is respected`() throws {
    let scene = Scene()
    scene.server.answer = .failed("HTTP status 429", retryAfter: .seconds(120))
    try scene.ask()
    scene.scheduler.advance(by: .seconds(117))
    try scene.ask()
    #expect(scene.server.queries.count == 1 && scene.answers.count == 2)
    scene.scheduler.advance(by: .seconds(3))
    try scene.ask()
    #expect(scene.server.queries.count == 2)
  }

  @Test func `requests behind a failed query end without an address at once`() throws {
    let scene = Scene()
    scene.server.answer = nil
    try scene.ask(1)
    try scene.ask(2)
    scene.server.reply(.failed("HTTP status 503", retryAfter: nil))
    #expect(scene.answers == [nil, nil])
    scene.scheduler.advance(by: .seconds(60))
    #expect(scene.server.queries.count == 1 && scene.answers.count == 2)
  }

  @Test func `a stream of locations causes one request a minute, and never waits`() throws {
    let scene = Scene()
    for second in 0..<180 {
      scene.service.prepare(try scene.query(second))
      scene.scheduler.advance(by: .seconds(1))
    }
    #expect(scene.server.queries.count == 3)
  }

  @Test func `a stream does not take the turn of a failing server for good`() throws {
    let scene = Scene()
    scene.server.answer = .failed("down", retryAfter: nil)
    try scene.ask(0)
    scene.service.prepare(try scene.query(1))
    #expect(scene.server.queries.count == 1)
    scene.server.answer = .address(Scene.address("a"))
    scene.scheduler.advance(by: .seconds(10))
    scene.service.prepare(try scene.query(1))
    scene.scheduler.settle()
    #expect(try scene.service.knownAddress(scene.query(1))?.name == "a")
  }

  @Test func `answers are stored half a minute later and at the end, and known after a restart`() throws {
    let scene = Scene()
    try scene.ask(1)
    #expect(scene.file.saved == nil)
    scene.scheduler.advance(by: .seconds(30))
    #expect(scene.file.saved?.count == 1)
    try scene.ask(2)
    scene.service.end()
    #expect(scene.file.saved?.count == 2)
    scene.service = GeocodingService(scene.scheduler, scene.server, scene.file, log: scene.lines.logger)
    try scene.ask(2)
    #expect(scene.answers.last == "a" && scene.server.queries.count == 2)
  }

  @Test func `requests that are open at the end are answered without an address`() throws {
    let scene = Scene()
    scene.server.answer = nil
    try scene.ask()
    scene.service.end()
    #expect(scene.answers == [nil])
  }

  @Test func `a wall clock that jumps changes neither the pace nor the stored answers`() throws {
    let scene = Scene()
    try scene.ask(1)
    let wallClock = scene.scheduler.wallClock
    scene.scheduler.wallClock = Instant(microseconds: 0)
    try scene.ask(2)
    scene.scheduler.advance(by: .seconds(1))
    #expect(scene.answers == ["a", "a"])
    scene.scheduler.wallClock = wallClock
    try scene.ask(1)
    #expect(scene.server.queries.count == 2)
  }
}

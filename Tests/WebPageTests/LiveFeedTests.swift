import Events
import HTTPMessages
import Instants
import Locations
import Records
import TestSupport
import Testing
import Venues
import WebPage

@Suite struct LiveFeedTests {
  private let scheduler = ManualScheduler()
  private let daemon = FakeDaemon()
  private let feed: LiveFeed

  init() { feed = LiveFeed(scheduler, daemon) }

  private func open(_ login: String = "a", after id: String? = nil) throws -> EventStream {
    try #require(feed.open(login: login, after: id))
  }

  private func location(latitude: Double = 48, longitude: Double = 11) -> LocationReport {
    var location = LocationReport()
    (location.latitude, location.longitude, location.venue) = (latitude, longitude, "v")
    return location
  }

  @Test func `a feed asks the daemon for nothing until a viewer comes, and again nothing after the last one has left`() throws {
    scheduler.advance(by: .seconds(60))
    #expect(daemon.watchCount == 0 && daemon.statusCount == 0)
    let (first, second) = (try open(), try open())
    daemon.presence(true)
    #expect(daemon.watchCount == 4)
    first.leave()
    second.leave()
    scheduler.advance(by: .seconds(29))
    // A page that is loaded again returns within this time.
    let third = try open()
    scheduler.advance(by: .seconds(60))
    #expect(feed.isRunning)
    third.leave()
    scheduler.advance(by: .seconds(30))
    #expect(daemon.watchCount == 0 && feed.viewerCount == 0 && !feed.isRunning)
    let count = daemon.statusCount
    scheduler.advance(by: .seconds(60))
    #expect(daemon.statusCount == count)
  }

  @Test func `a viewer gets the state of the daemon first, and a new viewer gets the present state at once`() throws {
    let first = try open()
    #expect(first.read().isEmpty)
    daemon.presence(true)
    daemon.observations(.beacons(Record(["beacons": .list([])])))
    daemon.observations(.located(location()))
    #expect(first.readNames() == ["daemon", "status", "beacons", "position"])
    let second = try open("b")
    #expect(second.readNames() == ["daemon", "status", "beacons", "position"])
  }

  @Test func `a daemon that stops leaves no beacons and no position behind, and the feed continues when it returns`() throws {
    let viewer = try open()
    daemon.presence(true)
    daemon.observations(.located(location()))
    _ = viewer.read()
    daemon.presence(false)
    #expect(viewer.read().contains(#"{"state":"absent","note":"beaconmond is not running"#))
    #expect(try open("b").readNames() == ["daemon"])
    let count = daemon.statusCount
    scheduler.advance(by: .seconds(10))
    #expect(daemon.statusCount == count)
    daemon.presence(true)
    #expect(viewer.read().contains(#"{"state":"running"}"#))
  }

  @Test func `a refused status and a denied session are reported with their remedy`() throws {
    daemon.status = .failure(PageRefusal(403, "denied", "join the group"))
    let viewer = try open()
    daemon.presence(true)
    #expect(viewer.read().contains(#"{"state":"denied","note":"join the group"}"#))
    daemon.status = .success(Record(["version": .text("1")]))
    scheduler.advance(by: .seconds(4))
    #expect(viewer.read().contains(#"{"state":"running"}"#))
    daemon.observations(.located(location()))
    daemon.observations(.denied("grant it"))
    #expect(viewer.read().contains(#"{"state":"denied","note":"grant it"}"#))
    #expect(try !open("b").readNames().contains("position"))
    daemon.observations(.permitted)
    #expect(viewer.read().contains(#"{"state":"running"}"#))
  }

  @Test func `the status is sent when it has changed, and sooner after an event`() throws {
    let viewer = try open()
    daemon.presence(true)
    #expect(viewer.read().contains("event: status"))
    scheduler.advance(by: .seconds(12))
    #expect(!viewer.read().contains("event: status") && daemon.statusCount == 4)
    daemon.status = .success(Record(["version": .text("2")]))
    daemon.events([event(1)])
    scheduler.advance(by: .seconds(2))
    #expect(viewer.read().contains(#"data: {"version":"2"}"#))
  }

  @Test func `a position inside has metres on the plan`() throws {
    var plan = PlanReport()
    (plan.venue, plan.latitude, plan.longitude, plan.bearing) = ("v", 48, 11, 0)
    daemon.plans = [plan]
    let viewer = try open()
    daemon.presence(true)
    daemon.observations(.located(location(latitude: 48.0001)))
    #expect(viewer.read().contains(#""x":0.000,"y":11.1"#))
    daemon.observations(.locationUnknown("no source"))
    daemon.observations(.locationUnknown("no source"))
    #expect(viewer.read() == "event: position\ndata: {\"note\":\"no source\"}\n\n")
  }

  @Test func `a viewer that returns gets the events that it has missed`() throws {
    let first = try open()
    daemon.presence(true)
    daemon.events([event(7), event(8)])
    #expect(first.read().contains("event: event\nid: j:8\ndata: {\"sequence\":8,"))
    daemon.events([event(9)])
    func missed(_ id: String) throws -> [String] {
      try open(id, after: id).read().split(separator: "\n").filter { $0.hasPrefix("id: ") || $0 == "event: missed" }.map(String.init)
    }
    #expect(try missed("j:7") == ["id: j:8", "id: j:9"])
    #expect(try missed("j:9") == [])
    #expect(try missed("j:6") == ["id: j:7", "id: j:8", "id: j:9"])
    // Others may lie between these and the known ones.
    #expect(try missed("j:5") == ["event: missed", "id: j:7", "id: j:8", "id: j:9"])
    #expect(try missed("other:9") == ["event: missed", "id: j:7", "id: j:8", "id: j:9"])
    #expect(try missed("nonsense") == [])
  }

  @Test func `the events that are kept are limited`() throws {
    let viewer = try open()
    daemon.presence(true)
    daemon.events((1...600).map { event($0) })
    #expect(try open("b", after: "j:88").read().split(separator: "\n").count { $0.hasPrefix("id: ") } == 512)
    #expect(try open("c", after: "j:87").read().contains("event: missed"))
    _ = viewer
  }

  @Test func `a viewer that reads slowly gets fewer states, and one that does not read is dropped`() throws {
    let (slow, fast) = (try open(), try open("b"))
    daemon.presence(true)
    let large = Record(["text": .text(String(repeating: "x", count: 20_000))])
    for _ in 0..<20 {
      daemon.observations(.beacons(large))
      #expect(fast.readNames().contains("beacons"))
    }
    #expect(!slow.isEnded && slow.pendingCount < 100_000)
    daemon.events((1...3000).map { event($0) })
    #expect(slow.isEnded && slow.pendingCount == 0)
  }

  @Test func `viewers are limited, together and for each login`() throws {
    for _ in 0..<8 { _ = try open() }
    #expect(feed.open(login: "a", after: nil) == nil)
    for number in 0..<56 { _ = try open("\(number)") }
    #expect(feed.open(login: "z", after: nil) == nil)
  }

  @Test func `a heartbeat has the time, and ends the viewers of a login that has ended`() throws {
    let (first, second) = (try open("a"), try open("b"))
    feed.isLoginValid = { $0 == "a" }
    scheduler.advance(by: .seconds(15))
    #expect(first.read().contains("event: heartbeat\ndata: {\"time\":\"2027-01-15T08:00:15.000000Z\"}"))
    #expect(second.isEnded && !first.isEnded)
    feed.end(login: "a")
    #expect(first.isEnded)
  }

  @Test func `viewers receive the change of a venue`() throws {
    let viewer = try open()
    daemon.presence(true)
    _ = viewer.read()
    daemon.venues()
    #expect(viewer.read() == "event: venues\ndata: {}\n\n")
  }
}

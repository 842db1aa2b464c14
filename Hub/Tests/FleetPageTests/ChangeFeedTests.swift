import HTTPMessages
import Instants
import People
import Testing

@testable import FleetPage

@Suite struct ChangeFeedTests {
  private let archive = FakeArchive()
  private let scheduler = ManualScheduler()
  private let feed: ChangeFeed
  private let ada = Person(id: 1, name: "ada", sites: ["a": SiteMembership(site: 1, role: .viewer)])

  init() {
    var limits = ChangeFeed.Limits()
    (limits.interval, limits.heartbeat, limits.viewersOfPerson) = (.seconds(5), .seconds(7), 2)
    feed = ChangeFeed(scheduler, archive, limits)
    archive.persons = [.proxy("ada"): ada]
    archive.update.devices = [device(1, site: 1, "good"), device(2, site: 2, "good")]
  }

  private func device(_ number: Int32, site: Int32, _ state: String) -> FeedUpdate.Device {
    FeedUpdate.Device(device: number, site: site, json: #"{"device":\#(number),"state":"\#(state)"}"#)
  }

  /// Passes the time of this number of queries of the database.
  private func run(queries count: Int) {
    let end = archive.requests.count + count
    // The first query for a viewer is due at once.
    scheduler.settle()
    while archive.requests.count < end { scheduler.advance(by: .seconds(1)) }
  }

  private func text(_ stream: EventStream) -> String { String(decoding: stream.take(.max), as: UTF8.self) }

  @Test func `a viewer gets the changes of its sites alone`() throws {
    let stream = try #require(feed.open(.proxy("ada"), ada))
    run(queries: 2)
    archive.update.devices = [device(1, site: 1, "silent"), device(2, site: 2, "silent")]
    run(queries: 2)
    let sent = text(stream)
    #expect(sent.contains(#"data: {"device":1,"state":"silent"}"#) && !sent.contains(#"{"device":2"#) && !sent.contains(#""good""#))
    #expect(archive.requests.allSatisfy { $0.sites == [1] })
  }

  @Test func `a room change is sent once, and those before the first viewer are not sent`() throws {
    func move(_ number: Int64, site: Int32) -> FeedUpdate.Move {
      FeedUpdate.Move(number: number, site: site, json: #"{"move":\#(number)}"#)
    }
    archive.update.highest = 7
    let stream = try #require(feed.open(.proxy("ada"), ada))
    run(queries: 2)
    archive.update.moves = [move(7, site: 1), move(8, site: 1), move(9, site: 2)]
    run(queries: 3)
    #expect(text(stream).split(separator: "\n").filter { $0.contains("move\":") } == [#"data: {"move":8}"#])
    #expect(archive.requests.first?.beyond == nil && archive.requests.last?.beyond == 7)
  }

  @Test func `moves of a site before its first viewer are not sent`() throws {
    func move(_ number: Int64) -> FeedUpdate.Move { FeedUpdate.Move(number: number, site: 2, json: #"{"move":\#(number)}"#) }
    archive.update.highest = 7
    let quiet = try #require(feed.open(.proxy("ada"), ada))
    run(queries: 2)
    (archive.update.highest, archive.update.moves) = (9, [move(8), move(9)])
    archive.persons[.proxy("bob")] = Person(id: 2, name: "bob", sites: ["b": SiteMembership(site: 2, role: .viewer)])
    let late = try #require(feed.open(.proxy("bob"), archive.persons[.proxy("bob")] ?? ada))
    run(queries: 2)
    archive.update.moves.append(move(10))
    run(queries: 2)
    #expect(text(late).split(separator: "\n").filter { $0.contains("move\":") } == [#"data: {"move":10}"#])
    #expect(!text(quiet).contains("move\":"))
  }

  @Test func `a site that is granted or revoked changes an open page, and the end of a login ends its streams`() throws {
    let stream = try #require(feed.open(.proxy("ada"), ada))
    run(queries: 1)
    archive.persons[.proxy("ada")]?.sites = ["b": SiteMembership(site: 2, role: .viewer)]
    run(queries: 2)
    archive.update.devices = [device(1, site: 1, "silent"), device(2, site: 2, "silent")]
    run(queries: 2)
    let sent = text(stream)
    #expect(sent.contains("event: sites\n") && sent.contains(#"{"device":2"#) && !sent.contains(#"{"device":1"#))
    archive.persons = [:]
    run(queries: 1)
    #expect(stream.isEnded && feed.viewerCount == 0)
  }

  @Test func `another role at a site changes an open page`() throws {
    let stream = try #require(feed.open(.proxy("ada"), ada))
    run(queries: 2)
    #expect(!text(stream).contains("event: sites\n"))
    archive.persons[.proxy("ada")]?.sites = ["a": SiteMembership(site: 1, role: .owner)]
    run(queries: 2)
    #expect(text(stream).contains("event: sites\n"))
  }

  @Test func `without viewers the database is not asked, and a person has a limit of them`() throws {
    let streams = try (0..<2).map { _ in try #require(feed.open(.proxy("ada"), ada)) }
    #expect(feed.open(.session("another"), ada) == nil && feed.open(.proxy("bob"), Person(id: 2, name: "bob")) != nil)
    feed.end(.proxy("bob"))
    for stream in streams { stream.onEnd() }
    let before = archive.requests.count
    scheduler.advance(by: .seconds(60))
    #expect(archive.requests.count == before && feed.viewerCount == 0)
  }

  @Test func `a viewer that does not read is dropped`() throws {
    let stream = try #require(feed.open(.proxy("ada"), ada))
    run(queries: 1)
    stream.send(event: "x", data: String(repeating: "x", count: 70_000))
    archive.update.devices = [device(1, site: 1, "silent")]
    run(queries: 2)
    #expect(stream.isEnded)
  }

  @Test func `the database is asked every five seconds for all viewers together, and each gets heartbeats`() throws {
    let first = try #require(feed.open(.proxy("ada"), ada))
    scheduler.settle()
    #expect(archive.requests.count == 1)
    let second = try #require(feed.open(.proxy("ada"), ada))
    scheduler.advance(by: .seconds(4))
    #expect(archive.requests.count == 1 && !text(first).contains("heartbeat"))
    scheduler.advance(by: .seconds(1))
    #expect(archive.requests.count == 2)
    scheduler.advance(by: .seconds(55))
    #expect(archive.requests.count == 13)
    for stream in [first, second] { #expect(text(stream).occurrences(of: "event: heartbeat\n") == 8) }
  }

  @Test func `a database that fails is reported once, asked again at the same pace, and reported when it answers`() throws {
    let stream = try #require(feed.open(.proxy("ada"), ada))
    scheduler.settle()
    _ = text(stream)
    archive.isDown = true
    scheduler.advance(by: .seconds(20))
    #expect(text(stream).occurrences(of: #"{"state":"absent"}"#) == 1 && archive.requests.count == 5)
    let late = try #require(feed.open(.proxy("ada"), ada))
    #expect(text(late).contains(#"{"state":"absent"}"#))
    archive.isDown = false
    scheduler.advance(by: .seconds(20))
    #expect(text(stream).occurrences(of: #"{"state":"running"}"#) == 1)
  }
}

extension String {
  fileprivate func occurrences(of part: String) -> Int { split(separator: part, omittingEmptySubsequences: false).count - 1 }
}

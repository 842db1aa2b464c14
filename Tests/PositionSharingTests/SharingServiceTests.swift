import FleetMessages
import Instants
import Records
import Sharing
import Status
import TestSupport
import Testing

@testable import PositionSharing

@Suite struct SharingServiceTests {
  @Test func `a position is sent after the acceptance, and the daemon learns the purpose`() throws {
    let scene = Scene()
    let id = try scene.offer()
    #expect(scene.messages == [.refresh, .offer(try #require(scene.offers.first))] && scene.source.open.isEmpty)
    try scene.notice(id, "accepted")
    #expect(scene.source.open.map(\.purpose) == ["Shares this position: lunch"])
    scene.source.report(52)
    scene.scheduler.advance(by: .seconds(10))
    #expect(scene.positions == [52])
  }

  @Test(arguments: [false, true])
  func `shares end when the device moves to another site, even while the notifier is stopped`(restarts: Bool) throws {
    let scene = Scene()
    let id = try scene.accepted()
    scene.service.use(nil, of: "")
    let moved = restarts ? SharingService(scene.scheduler, scene.file, scene.source, log: scene.lines.logger) : scene.service
    #expect(moved.shares.count == 1)
    let other = FakeHub(scene.scheduler)
    moved.use(other, of: "paris.door at hub.example")
    other.connect()
    moved.connectionChanged()
    scene.scheduler.advance(by: .seconds(60))
    #expect(other.messages.map(\.body) == [.share(.refresh)])
    #expect(moved.shares.isEmpty && scene.file.text?.contains("\(id)") == false)
    #expect(scene.lines.all.contains { $0.contains("another hub or site") })
  }

  @Test func `shares of a version that stored no hub continue with the first one, and end with another one after a restart`() throws {
    let former = Scene()
    let id = try former.offer()
    former.service.use(nil, of: "")
    former.file.text = former.file.text?.replacing(#""hub":"berlin.door at hub.example","#, with: "")
    #expect(former.file.text?.contains("hub") == false)
    let scene = Scene(former.file)
    #expect(scene.service.shares.count == 1 && scene.messages.contains { if case .offer = $0 { true } else { false } })
    scene.service.use(nil, of: "")
    let moved = SharingService(scene.scheduler, scene.file, scene.source, log: scene.lines.logger)
    moved.use(FakeHub(scene.scheduler), of: "paris.door at hub.example")
    #expect(moved.shares.isEmpty && scene.file.text?.contains("\(id)") == false)
  }

  @Test func `the purpose of a session is not longer than the daemon takes it`() throws {
    let scene = Scene()
    let purpose = String(repeating: "x", count: 200)
    let id = try scene.service.offer(to: [.person("ada")], purpose: purpose, for: .seconds(600), by: 1000)
    scene.scheduler.settle()
    try scene.notice(id, "accepted")
    #expect(scene.source.open.map(\.purpose) == ["Shares this position: " + String(repeating: "x", count: 178)])
  }

  @Test func `the rate of positions is modest`() throws {
    let scene = Scene()
    _ = try scene.accepted()
    let before = scene.positions.count
    for step in 1...100 {
      scene.source.report(52 + Double(step) * 0.001)
      scene.scheduler.advance(by: .seconds(1))
    }
    #expect((10...11).contains(scene.positions.count - before))
    let moved = scene.positions.count
    scene.scheduler.advance(by: .seconds(120))
    #expect((2...3).contains(scene.positions.count - moved), "a still device")
  }

  @Test func `no position follows the end of a share, even if the file cannot be written`() throws {
    let scene = Scene()
    let id = try scene.accepted()
    let before = scene.positions.count
    scene.file.isFull = true
    try scene.service.stop(id, by: 0)
    // The session closes after this callback.
    scene.source.report(53)
    scene.scheduler.settle()
    #expect(scene.source.open.isEmpty && scene.service.shares.isEmpty && scene.file.text == nil)
    scene.scheduler.advance(by: .seconds(300))
    #expect(scene.positions.count == before && scene.messages.last == .end(id))
  }

  @Test func `a file that brings a share back is reported`() throws {
    let scene = Scene()
    let id = try scene.accepted()
    (scene.file.isFull, scene.file.isStuck) = (true, true)
    #expect(throws: SharingError.self) { try scene.service.stop(id, by: 0) }
    scene.scheduler.settle()
    #expect(scene.service.shares.isEmpty && scene.source.open.isEmpty)
  }

  @Test func `consent that cannot be stored does not count`() throws {
    let scene = Scene()
    scene.file.isFull = true
    #expect(throws: SharingError.self) { try scene.offer() }
    #expect(scene.service.shares.isEmpty && scene.messages == [.refresh])
  }

  @Test func `a share ends on time without the hub, by either clock`() throws {
    let scene = Scene()
    _ = try scene.accepted()
    scene.scheduler.wallClock += .seconds(1000)
    let before = scene.positions.count
    scene.source.report(53)
    scene.scheduler.advance(by: .seconds(20))
    #expect(scene.positions.count == before && scene.source.open.isEmpty && scene.service.shares.isEmpty)
    let other = Scene()
    _ = try other.accepted()
    other.scheduler.wallClock = other.scheduler.wallClock - .seconds(10_000)
    let count = other.positions.count
    other.source.report(54)
    other.scheduler.advance(by: .seconds(595))
    #expect(other.positions.count == count && other.service.shares.isEmpty)
  }

  @Test func `a killed notifier sends again only with the stored consent, an acceptance, and before the end`() throws {
    let first = Scene()
    let id = try first.accepted()
    let later = Scene(first.file, wallClock: first.scheduler.wallClock + .seconds(60))
    #expect(later.messages.first.map { if case .offer = $0 { true } else { false } } == true && later.source.open.isEmpty)
    try later.notice(id, "accepted")
    later.source.report(52)
    later.scheduler.advance(by: .seconds(10))
    #expect(later.positions.contains(52))
    // A clock that was never set.
    let early = Scene(first.file, wallClock: Instant(microseconds: 1_000_000))
    try early.notice(id, "accepted")
    #expect(early.source.open.isEmpty)
    let late = Scene(first.file, wallClock: first.scheduler.wallClock + .seconds(600))
    #expect(late.service.shares.isEmpty && late.messages.contains(.end(id)))
    try late.notice(id, "accepted")
    #expect(late.source.open.isEmpty)
  }

  @Test func `a damaged file ends every share, here and at the hub`() throws {
    let file = FakeFile()
    file.text = "{"
    let scene = Scene(file)
    #expect(scene.service.shares.isEmpty && file.text == nil && scene.lines.all.contains { $0.contains("damaged") })
    let id = ShareID.random()
    try scene.notice(id, "accepted")
    #expect(scene.source.open.isEmpty && scene.messages.last == .end(id))
  }

  @Test(arguments: [false, true])
  func `a file that cannot be read brings no share back with a later start`(isStuck: Bool) throws {
    let former = Scene()
    _ = try former.accepted()
    (former.file.isUnreadable, former.file.isStuck) = (true, isStuck)
    let scene = Scene(former.file)
    #expect(scene.service.shares.isEmpty && scene.lines.all.contains { $0.contains("cannot be read") })
    #expect(scene.lines.all.contains { $0.contains("remove it before a restart") } == isStuck)
    former.file.isUnreadable = false
    #expect(Scene(former.file).service.shares.isEmpty != isStuck)
  }

  @Test func `friends are forgotten with the connection, and asked for with the next one`() throws {
    let scene = Scene()
    let id = ShareID.random()
    let ends = (scene.scheduler.wallClock + .seconds(60)).microseconds / 1000
    let json = #"{"v":1,"shares":[],"offers":[{"id":"\#(id)","owner":"device:hall","purpose":"tour","ends":\#(ends)}]}"#
    try scene.service.receive(Array(json.utf8))
    try scene.service.answer(id, isAccepted: true, by: 0)
    scene.scheduler.settle()
    #expect(scene.service.friends.map { $0["state"]?.text } == ["accepted"] && scene.messages.last == .answer(id, isAccepted: true))
    scene.hub.disconnect()
    #expect(scene.service.friends.isEmpty)
    scene.hub.connect()
    scene.scheduler.settle()
    #expect(scene.messages.filter { $0 == .refresh }.count == 2)
    try scene.service.receive(Array(json.utf8))
    scene.scheduler.advance(by: .seconds(1))
    #expect(scene.service.friends.map { $0["state"]?.text } == ["accepted"])
    scene.scheduler.advance(by: .seconds(61))
    #expect(scene.service.friends.isEmpty)
  }

  @Test func `the shares are complete from the first notice of a connection on, and each change is reported`() throws {
    let scene = Scene()
    var changes = 0
    scene.service.onChange = { changes += 1 }
    #expect(scene.service.hub == HubStatus(isConnected: true, trouble: nil, hasListedShares: false))
    let notice = Array(#"{"v":1,"shares":[],"offers":[]}"#.utf8)
    try scene.service.receive(notice)
    #expect(scene.service.hub.hasListedShares == true && changes == 1)
    try scene.service.receive(notice)
    #expect(changes == 1)
    scene.hub.trouble = "the broker has ended the connection"
    scene.hub.disconnect()
    #expect(scene.service.hub == HubStatus(isConnected: false, trouble: "the broker has ended the connection", hasListedShares: false))
    scene.hub.trouble = nil
    scene.hub.connect()
    #expect(scene.service.hub == HubStatus(isConnected: true, trouble: nil, hasListedShares: false) && changes == 3)
    try scene.service.receive(Array("no notice".utf8))
    #expect(scene.service.hub.hasListedShares == false)
  }

  @Test func `a flood of notices causes one change a second, with the newest notice`() throws {
    let scene = Scene()
    var changes = 0
    scene.service.onChange = { changes += 1 }
    let writes = scene.file.writes
    let ends = (scene.scheduler.wallClock + .seconds(600)).microseconds / 1000
    for number in 1...1000 {
      let id = ShareID.random()
      let json =
        #"{"v":1,"shares":[],"offers":[{"id":"\#(id)","owner":"ada","purpose":"p\#(number)","#
        + #""ends":\#(ends)}]}"#
      try scene.service.receive(Array(json.utf8))
      scene.scheduler.advance(by: .milliseconds(5))
    }
    scene.scheduler.advance(by: .seconds(1))
    #expect((5...7).contains(changes))
    #expect(scene.service.friends.map { $0["purpose"]?.text } == ["p1000"])
    #expect(scene.file.writes == writes)
    for _ in 1...1000 {
      try scene.service.receive(Array("no notice".utf8))
      scene.scheduler.advance(by: .milliseconds(5))
    }
    #expect(scene.lines.all.filter { $0.contains("cannot be read") }.count == 1)
  }

  @Test func `a revocation without a connection reaches the hub later`() throws {
    let scene = Scene()
    let id = try scene.accepted()
    scene.hub.disconnect()
    try scene.service.stop(id, by: 0)
    let restarted = Scene(scene.file, wallClock: scene.scheduler.wallClock)
    #expect(restarted.messages == [.end(id), .refresh])
    #expect(Scene(scene.file, wallClock: scene.scheduler.wallClock).messages == [.refresh])
  }
}

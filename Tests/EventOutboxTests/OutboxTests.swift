import DeliveryScheduling
import EventLoop
import EventOutbox
import Events
import Glibc
import Instants
import Records
import SQLite
import TestSupport
import Testing

@Suite struct OutboxTests {
  let scene: Scene

  init() throws {
    scene = try Scene()
  }

  private func messages(_ outbox: Outbox, _ target: String = "a") throws -> [String] {
    try outbox.waiting(target, DeliveryPolicy(), after: 0, limit: 100).map(\.message)
  }

  @Test func `each target has its own queue of events, in order and as they were queued`() throws {
    let outbox = try scene.outbox()
    let events = (1...3).map { Scene.event($0, region: "room \($0)") }
    #expect(try outbox.accept(events) { $0["region"]?.text == "room 2" ? ["a"] : ["a", "b"] } == ["a", "b"])
    #expect(try messages(outbox) == ["d-j-1", "d-j-2", "d-j-3"])
    #expect(try messages(outbox, "b") == ["d-j-1", "d-j-3"])
    let first = try #require(try outbox.waiting("b", DeliveryPolicy(), after: 0, limit: 1).first)
    #expect(first.event == events[0])
    #expect(first.json == events[0].json)
    #expect(try outbox.waiting("b", DeliveryPolicy(), after: first.id, limit: 9).map(\.message) == ["d-j-3"])
  }

  @Test func `pending deliveries survive a restart, settled ones do not return, and no event is queued twice`() throws {
    try {
      let outbox = try scene.outbox()
      _ = try outbox.accept([Scene.event(1), Scene.event(2)]) { _ in ["a"] }
      let first = try #require(try outbox.waiting("a", DeliveryPolicy(), after: 0, limit: 1).first)
      try outbox.settle([("a", first.id, nil)])
    }()
    let outbox = try scene.outbox()
    #expect(outbox.places().latest == EventPlace(journal: "j", sequence: 2))
    #expect(try outbox.accept([Scene.event(1), Scene.event(2), Scene.event(3)]) { _ in ["a"] } == ["a"])
    #expect(try messages(outbox) == ["d-j-2", "d-j-3"])
    #expect(try scene.python("db.execute('SELECT count(*) FROM event').fetchone()[0]") == "2")
  }

  @Test func `each journal has its own numbers, and a returning journal continues at its place`() throws {
    let outbox = try scene.outbox()
    let events = [Scene.event(7), Scene.event(1, journal: "k"), Scene.event(7), Scene.event(8)]
    _ = try outbox.accept(events) { _ in ["a"] }
    #expect(try messages(outbox) == ["d-j-7", "d-k-1", "d-j-8"])
    #expect(try scene.outbox().places() == EventPlaces([EventPlace(journal: "k", sequence: 1), EventPlace(journal: "j", sequence: 8)]))
  }

  @Test func `each feed has its own place`() throws {
    let outbox = try scene.outbox()
    _ = try outbox.accept([Scene.event(7)]) { _ in ["a"] }
    _ = try outbox.accept([Scene.event(3, journal: "u")], of: .registered) { _ in ["b"] }
    try outbox.begin(at: EventPlaces([EventPlace(journal: "j", sequence: 9)]))
    let again = try scene.outbox()
    #expect(again.places().all == [EventPlace(journal: "j", sequence: 9)])
    #expect(again.places(of: .registered).all == [EventPlace(journal: "u", sequence: 3)])
    #expect(try again.accept([Scene.event(3, journal: "u")], of: .registered) { _ in ["b"] } == [])
    #expect(try again.targets().sorted() == ["a", "b"])
  }

  @Test func `the deliveries of another outbox follow those in the file, with their ages, and the places do not change`() throws {
    let outbox = try scene.outbox()
    _ = try outbox.accept((1...2).map { Scene.event($0) }) { _ in ["a", "b"] }
    let memory = try Outbox(scene.loop, path: nil, device: "d")
    let old = DeliveryPolicy(maximumAge: .seconds(60))
    _ = try memory.accept((2...1202).map { Scene.event($0) }, age: { _ in .seconds(50) }) { $0.sequence == 2 ? [] : ["b", "c"] }
    let settled = try memory.waiting("c", DeliveryPolicy(), after: 0, limit: 1)
    try memory.settle(settled.map { ("c", $0.id, nil) })
    try outbox.adopt(from: memory) { $0.sequence >= 2 }
    #expect(outbox.places().latest?.sequence == 2)
    #expect(try messages(outbox) == ["d-j-1"])
    #expect(try outbox.waiting("b", old, after: 0, limit: 3).map(\.message) == ["d-j-1", "d-j-3", "d-j-4"])
    #expect(try outbox.waiting("c", old, after: 0, limit: 2000).map(\.event.sequence) == Array(4...1202))
    let adopted = try #require(try outbox.waiting("c", old, after: 0, limit: 1).first)
    #expect((Span.seconds(5)...Span.seconds(11)).contains(adopted.expiry - scene.loop.now))
    #expect(try scene.python("db.execute('PRAGMA foreign_key_check').fetchall()") == "[]")
  }

  @Test func `an outbox that cannot be read changes nothing in the file that takes it over`() throws {
    let outbox = try scene.outbox()
    _ = try outbox.accept([Scene.event(1)]) { _ in ["a"] }
    let other = try Outbox(scene.loop, path: scene.folder.file("other.db"), device: "d")
    _ = try other.accept([Scene.event(1), Scene.event(2)]) { _ in ["a"] }
    let database = try Database(path: scene.folder.file("other.db"))
    try database.execute("PRAGMA foreign_keys = OFF; DROP TABLE event")
    #expect(throws: DatabaseError.self) { try outbox.adopt(from: other) { _ in true } }
    #expect(try messages(outbox) == ["d-j-1"])
  }

  @Test func `a place that cannot be stored stays in memory, and is stored later`() throws {
    let outbox = try scene.outbox()
    let start = EventPlaces([EventPlace(journal: "j", sequence: 3)])
    let other = try Database(path: scene.path)
    try other.execute("BEGIN IMMEDIATE")
    #expect(throws: DatabaseError.self) { try outbox.begin(at: start) }
    #expect(throws: DatabaseError.self) { try outbox.accept([Scene.event(4)]) { _ in ["a"] } }
    #expect(outbox.places() == start)
    try other.execute("ROLLBACK")
    try outbox.begin(at: start)
    #expect(try scene.outbox().places() == start)
    _ = try outbox.accept([Scene.event(3), Scene.event(4)]) { _ in ["a"] }
    #expect(try messages(outbox) == ["d-j-4"])
  }

  @Test func `a file from before feeds keeps its place`() throws {
    do { _ = try scene.outbox().accept([Scene.event(7)]) { _ in ["a"] } }
    _ = try scene.python(
      """
      [db.execute(s) for s in ['DROP TABLE head', 'PRAGMA user_version = 1']
        + ['ALTER TABLE ' + t + ' DROP COLUMN checksum' for t in ('place', 'clock', 'event', 'delivery')] + ['ALTER TABLE place DROP COLUMN feed']]
      """)
    unlink(scene.path + "-commits")
    let outbox = try scene.outbox()
    #expect(outbox.places().all == [EventPlace(journal: "j", sequence: 7)] && outbox.note == nil)
    #expect(outbox.places(of: .registered).latest == nil)
    #expect(try messages(outbox) == ["d-j-7"])
  }

  @Test func `an event without targets advances the place and stores nothing`() throws {
    let outbox = try scene.outbox()
    #expect(try outbox.accept([Scene.event(5)]) { _ in [] } == [])
    #expect(try scene.outbox().places().latest?.sequence == 5)
    #expect(try scene.python("db.execute('SELECT count(*) FROM event').fetchone()[0]") == "0")
  }

  @Test func `a dead letter is stored with its reason and counted, and the event is removed with its last delivery`() throws {
    let outbox = try scene.outbox()
    _ = try outbox.accept([Scene.event(1)]) { _ in ["a", "b"] }
    try outbox.settle([("a", 1, "the server answered 400")])
    #expect(try outbox.waitingCounts().map(\.target) == ["b"])
    let letter = try #require(try outbox.deadLetters().first)
    #expect(letter.target == "a" && letter.reason == "the server answered 400" && letter.json == Scene.event(1).json)
    try outbox.settle([("b", 1, nil)])
    #expect(try scene.python("db.execute('SELECT count(*) FROM event').fetchone()[0]") == "0")
    #expect(try outbox.deadLetters().count == 1)
  }

  @Test func `each target keeps its newest ten thousand dead letters`() throws {
    let outbox = try scene.outbox()
    let count = 10_020
    _ = try outbox.accept((1...UInt64(count)).map { Scene.event($0) }) { _ in ["a", "b"] }
    try outbox.settle((1...Int64(count)).map { ("a", $0, "down") })
    try outbox.settle([("b", 1, "down")])
    let letters = try outbox.deadLetters()
    #expect(letters.count { $0.target == "a" } == 10_000)
    #expect(letters.first?.json == Scene.event(21).json)
    #expect(letters.count { $0.target == "b" } == 1)
  }

  @Test func `pending deliveries of a removed target become dead letters`() throws {
    let outbox = try scene.outbox()
    _ = try outbox.accept((1...1200).map { Scene.event($0) }) { _ in ["old", "new"] }
    #expect(try outbox.makeDeadLetters { $0 == "new" } == 1200)
    #expect(try outbox.waitingCounts().map(\.target) == ["new"])
    #expect(try outbox.deadLetters().count == 1200)
  }

  @Test func `the age of a delivery starts at the event and grows only while the notifier runs`() throws {
    let policy = DeliveryPolicy(giveUp: .seconds(100), maximumAge: .seconds(60))
    var outbox: Outbox? = try scene.outbox()
    _ = try outbox?.accept([Scene.event(1)], age: { _ in .seconds(45) }) { _ in ["a"] }
    let first = try #require(try outbox?.waiting("a", policy, after: 0, limit: 1).first)
    #expect(abs((first.expiry - scene.loop.now).seconds - 15) < 5)
    #expect(abs((first.deadline - scene.loop.now).seconds - 100) < 5)
    outbox = nil
    // Adds an hour of running time to the clock, as another process would have written it.
    try scene.write("UPDATE clock SET microseconds = microseconds + 3600000000", to: "clock", "only, microseconds")
    let later = try #require(try scene.outbox().waiting("a", policy, after: 0, limit: 1).first)
    #expect(abs((later.deadline - scene.loop.now).seconds + 3500) < 5)
  }

  @Test func `the announced entities of each target are known after a restart`() throws {
    let outbox = try scene.outbox()
    #expect(try outbox.announced(to: "home") == [])
    try outbox.setAnnounced(["hall", "till"], to: "home")
    try outbox.setAnnounced(["door"], to: "shop")
    #expect(try scene.outbox().announced(to: "home") == ["hall", "till"])
    try outbox.setAnnounced([], to: "home")
    #expect(try scene.outbox().announced(to: "home") == [])
    #expect(try outbox.announced(to: "shop") == ["door"])
  }

  private func writeDiary() throws {
    let stream = try #require(fopen(scene.path, "w"))
    fputs("my diary, which is not a database at all", stream)
    fclose(stream)
  }

  @Test func `a read-only open leaves a file that is not an outbox in place`() throws {
    try writeDiary()
    let error = #expect(throws: DatabaseError.self) { try Outbox(scene.loop, path: scene.path, device: "d", isKept: true) }
    #expect(error?.isUnreadable == true)
    #expect(try scene.loop.result(of: ["cat", scene.path]).output.text == "my diary, which is not a database at all")
  }

  @Test func `a file that is not an outbox is moved aside at the second start`() throws {
    try writeDiary()
    let error = #expect(throws: DatabaseError.self) { try scene.outbox() }
    #expect(error?.isUnreadable == true && access(scene.path + ".failed", F_OK) == 0)
    let outbox = try scene.outbox()
    #expect(
      outbox.note
        == "\(scene.path) could not be read and was moved to \(scene.path).1: file is not a database; 0 deliveries and 0 dead letters could be read and were kept, others may be lost"
    )
    #expect(access(scene.path + ".failed", F_OK) != 0)
    #expect(try outbox.accept([Scene.event(1)]) { _ in ["a"] } == ["a"])
    #expect(try scene.loop.result(of: ["cat", "\(scene.path).1"]).output.text == "my diary, which is not a database at all")
  }

  @Test func `a single failed start has no effect once the file is readable again`() throws {
    do { _ = try scene.outbox() }
    try #require(rename(scene.path, scene.path + ".kept") == 0)
    try writeDiary()
    #expect(throws: DatabaseError.self) { try scene.outbox() }
    try #require(rename(scene.path + ".kept", scene.path) == 0)
    do { #expect(try scene.outbox().note == nil) }
    try writeDiary()
    #expect(throws: DatabaseError.self) { try scene.outbox() }
  }

  @Test func `an outbox without a path lives in memory`() throws {
    let outbox = try Outbox(scene.loop, path: nil, device: "d")
    _ = try outbox.accept([Scene.event(1)]) { _ in ["a"] }
    #expect(try messages(outbox) == ["d-j-1"])
  }

  @Test(.enabled(if: SmallDisk.isPossible, "requires the right to mount"))
  func `a full disk stores no part of an event, and the place does not change`() throws {
    let disk = try SmallDisk()
    let outbox = try Outbox(scene.loop, path: disk.path + "/outbox.db", device: "d")
    _ = try outbox.accept([Scene.event(1)]) { _ in ["a"] }
    let big = (2...400).map { Scene.event($0, region: String(repeating: "x", count: 5000)) }
    let error = #expect(throws: DatabaseError.self) { try outbox.accept(big) { _ in ["a"] } }
    #expect(error?.isUnreadable == false)
    #expect(outbox.places().latest?.sequence == 1)
    #expect(try messages(outbox) == ["d-j-1"])
    try disk.grow()
    #expect(try outbox.accept(big) { _ in ["a"] } == ["a"])
    #expect(try outbox.waitingCounts().first?.count == 400)
  }

  @Test(.enabled(if: SmallDisk.isPossible, "requires the right to mount"))
  func `an outbox on a read-only or full disk is not moved aside, and opens with its deliveries when the disk works`() throws {
    let disk = try SmallDisk()
    let path = disk.path + "/outbox.db"
    func outbox() throws -> Outbox { try Outbox(scene.loop, path: path, device: "d") }
    try disk.setReadOnly(true)
    for _ in 1...3 { #expect(try #require(throws: DatabaseError.self) { try outbox() }.isUnreadable == false) }
    try disk.setReadOnly(false)
    let filler = fopen(disk.path + "/filler", "w")
    let zeros = [UInt8](repeating: 0, count: 4096)
    while fwrite(zeros, 1, zeros.count, filler) == zeros.count {}
    fclose(filler)
    for _ in 1...3 { #expect(try #require(throws: DatabaseError.self) { try outbox() }.isUnreadable == false) }
    unlink(disk.path + "/filler")
    do { _ = try outbox().accept([Scene.event(1)]) { _ in ["a"] } }
    try disk.setReadOnly(true)
    for _ in 1...3 { #expect(try #require(throws: DatabaseError.self) { try outbox() }.isUnreadable == false) }
    try disk.setReadOnly(false)
    #expect(try messages(outbox()) == ["d-j-1"])
    #expect(access(path + ".1", F_OK) != 0 && access(path + ".failed", F_OK) != 0)
  }
}

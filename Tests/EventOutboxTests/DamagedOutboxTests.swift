import DeliveryScheduling
import EventLoop
import EventOutbox
import Events
import Glibc
import Instants
import SQLite
import TestSupport
import Testing

/// Damaged outboxes: undamaged messages are delivered, and each loss is reported.
@Suite struct DamagedOutboxTests {
  private let scene: Scene
  private let policy = DeliveryPolicy(giveUp: .seconds(100), maximumAge: .seconds(60))

  init() throws {
    scene = try Scene()
  }

  private func queue(_ count: UInt64 = 3) throws {
    let outbox = try scene.outbox()
    _ = try outbox.accept((1...count).map { Scene.event($0) }) { _ in ["a", "b"] }
  }

  private func execute(_ sql: String) throws {
    let database = try Database(path: scene.path)
    try database.execute("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
    try database.execute(sql)
  }

  private func waiting(_ outbox: Outbox, _ target: String = "a") throws -> [Delivery] {
    try outbox.waiting(target, policy, after: 0, limit: 5000)
  }

  @Test(
    arguments: [Int64.min, -1, .max, .max - 5], ["UPDATE clock SET microseconds =", "UPDATE event SET queued =", "UPDATE event SET age ="])
  func `a damaged time never traps, and affects no other row`(value: Int64, change: String) throws {
    try queue()
    try execute("\(change) \(value)\(change.contains("event") ? " WHERE id = 2" : "")")
    let outbox = try scene.outbox()
    #expect(outbox.note?.hasPrefix("\(scene.path) was damaged: ") == true)
    let messages = try waiting(outbox)
    #expect(messages.map(\.message) == (change.contains("event") ? ["d-j-1", "d-j-3"] : ["d-j-1", "d-j-2", "d-j-3"]))
    for delivery in messages {
      #expect(abs((delivery.deadline - scene.loop.now).seconds - 100) < 10 && abs((delivery.expiry - scene.loop.now).seconds - 60) < 10)
    }
    #expect(try outbox.deadLetters().count == (change.contains("event") ? 2 : 0))
    // A repaired outbox stays repaired.
    #expect(try scene.outbox().note == nil)
  }

  /// The rows are as a version without checksums wrote them, or as a program that recomputes checksums.
  @Test(arguments: [Int64.min, -1, .max])
  func `a nonsensical time never traps, even in an intact row`(value: Int64) throws {
    try queue()
    try scene.write(
      "UPDATE event SET queued = \(value), age = \(value) WHERE id = 2", to: "event", "id, journal, sequence, json, queued, age")
    try scene.write("UPDATE clock SET microseconds = \(value)", to: "clock", "only, microseconds")
    let outbox = try scene.outbox()
    #expect(try waiting(outbox).count == 3)
    try outbox.settle([("a", 1, nil), ("b", 1, "down")])
    _ = try outbox.accept([Scene.event(4)], age: { _ in Span(microseconds: value) }) { _ in ["a"] }
    #expect(try waiting(try scene.outbox()).count == 3)
  }

  @Test(
    arguments: [
      ("UPDATE event SET json = '{' WHERE id = 2", "event: 1 of 3 rows is damaged; 2 deliveries are dead letters now", [1, 3], 2),
      ("UPDATE event SET sequence = 9 WHERE id = 2", "event: 1 of 3 rows is damaged; 2 deliveries are dead letters now", [1, 3], 2),
      (
        "UPDATE delivery SET target = 'c' WHERE target = 'a' AND event = 2",
        "delivery: 1 of 6 rows is damaged; 1 delivery is a dead letter now", [1, 3], 1
      ),
      ("DELETE FROM delivery WHERE target = 'a' AND event = 2", "delivery: 1 is missing", [1, 3], 0),
      (
        "DROP TRIGGER delivery_was_last; DELETE FROM delivery WHERE event = 2", "delivery: 2 are missing; 1 delivery is a dead letter now",
        [1, 3], 1
      ),
      ("DELETE FROM event WHERE id = 2", "event: 1 is missing; 2 deliveries lost with the event", [1, 3], 0),
      ("DELETE FROM head", "the expected number of rows is missing", [1, 2, 3], 0),
      ("UPDATE sqlite_sequence SET seq = 9223372036854775807", "", [1, 2, 3], 0),
    ])
  func `a damaged or missing row affects only itself, and is reported`(sql: String, finding: String, sequences: [Int], letters: Int)
    throws
  {
    try queue()
    try execute(sql)
    let outbox = try scene.outbox()
    #expect((outbox.note ?? "").contains(finding), "\(outbox.note ?? "no note")")
    #expect(try waiting(outbox).map(\.message) == sequences.map { "d-j-\($0)" })
    #expect(try outbox.deadLetters().count == letters)
    #expect(try outbox.accept([Scene.event(4)]) { _ in ["a"] } == ["a"])
    #expect(try waiting(outbox).last?.message == "d-j-4")
  }

  @Test func `a damaged place is restored after the last pending event`() throws {
    try queue()
    try execute("UPDATE place SET sequence = 9223372036854775807")
    let outbox = try scene.outbox()
    #expect(outbox.note?.contains("the position in the journal is unknown") == true)
    #expect(outbox.places().latest?.sequence == 3)
  }

  @Test func `readable rows of an outbox with a damaged page are recovered at the second start`() throws {
    try queue(400)
    do {
      let outbox = try scene.outbox()
      try outbox.settle((1...10).map { ("b", $0, "down") })
      try outbox.setAnnounced(["hall"], to: "home")
      try Database(path: scene.path).execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    // Finds a leaf page of `event` that contains the JSON of an event.
    let file = try #require(fopen(scene.path, "r+"))
    var octets = [UInt8](repeating: 0, count: 1 << 20)
    octets.removeLast(octets.count - fread(&octets, 1, octets.count, file))
    let needle = Array("\"sequence\":200,".utf8)
    let place = try #require(octets.indices.dropLast(needle.count).first { octets[$0..<$0 + needle.count].elementsEqual(needle) })
    fseek(file, place / 4096 * 4096, SEEK_SET)
    fwrite([UInt8](repeating: 0xA5, count: 64), 1, 64, file)
    fclose(file)

    #expect(throws: DatabaseError.self) { try scene.outbox() }
    let outbox = try scene.outbox()
    let note = try #require(outbox.note)
    #expect(note.hasPrefix("\(scene.path) could not be read and was moved to \(scene.path).1: "))
    #expect(note.contains(" and 10 dead letters could be read and were kept, ") && note.hasSuffix(" deliveries lost"))
    let (a, b) = (try waiting(outbox), try waiting(outbox, "b"))
    #expect(a.count > 300 && a.count < 400 && a.first?.message == "d-j-1" && a.last?.message == "d-j-400")
    #expect(b.map(\.message) == Array(a.map(\.message).dropFirst(10)))
    #expect(try outbox.deadLetters().count == 10)
    #expect(outbox.places().latest?.sequence == 400)
    #expect(try outbox.announced(to: "home") == ["hall"])
  }

  // MARK: The log, and the file as a whole

  private func copyFile(_ source: String, to target: String) throws {
    #expect(try scene.loop.result(of: ["cp", source, target]).outcome == .exited(0))
  }

  /// Returns the files of a notifier that was killed with `count` events in the queue.
  private func crashed(_ count: UInt64) throws -> Scene {
    let copy = try Scene()
    let outbox = try scene.outbox()
    for number in 1...count { _ = try outbox.accept([Scene.event(number)]) { _ in ["a", "b"] } }
    for suffix in ["", "-wal", "-commits"] { try copyFile(scene.path + suffix, to: copy.path + suffix) }
    return copy
  }

  @Test(arguments: [0, 10_000])
  func `deliveries that are lost with a log are reported`(size: Int) throws {
    let copy = try crashed(9)
    truncate(copy.path + "-wal", size)
    let outbox = try copy.outbox()
    #expect(outbox.note?.contains("commits are lost, because the file or its write-ahead log is missing, truncated or older") == true)
    #expect(outbox.places().latest?.sequence ?? 0 < 9)
    #expect(try waiting(outbox).count < 9)
  }

  @Test func `a crash loses no delivery and reports no damage`() throws {
    let outbox = try crashed(9).outbox()
    #expect(outbox.note == nil)
    #expect(try waiting(outbox).count == 9)
  }

  @Test func `an outbox with a write-ahead log of an earlier version loses nothing`() throws {
    let copy = try crashed(9)
    unlink(copy.path + "-commits")
    let outbox = try copy.outbox()
    #expect(outbox.note == nil)
    #expect(try waiting(outbox).count == 9)
  }

  @Test func `the log of another outbox is moved aside`() throws {
    let stranger = try crashed(9)
    let own = try Scene()
    do { _ = try own.outbox().accept([Scene.event(1)]) { _ in ["a"] } }
    try copyFile(stranger.path + "-wal", to: own.path + "-wal")
    let outbox = try own.outbox()
    #expect(outbox.note == "\(own.path)-wal is the log of another database and was moved to \(own.path).1-wal")
    #expect(try waiting(outbox).map(\.message) == ["d-j-1"])
  }

  @Test func `the log beside the target of a link to the outbox is used`() throws {
    let copy = try crashed(9)
    rename(copy.path, copy.folder.file("elsewhere.db"))
    symlink(copy.folder.file("elsewhere.db"), copy.path)
    let outbox = try copy.outbox()
    #expect(outbox.note == "\(copy.path)-wal was beside a symbolic link and was moved to \(copy.folder.file("elsewhere.db"))-wal")
    #expect(try waiting(outbox).count == 9)
  }

  @Test func `an outbox that is empty is reported and replaced at the second start`() throws {
    try queue()
    truncate(scene.path, 0)
    #expect(throws: DatabaseError(.corrupt, path: scene.path, message: "the file is empty")) { try scene.outbox() }
    let outbox = try scene.outbox()
    #expect(outbox.note?.contains("the file is empty") == true)
    #expect(try outbox.accept([Scene.event(4)]) { _ in ["a"] } == ["a"])
  }

  @Test func `a foreign trigger in the outbox is dropped`() throws {
    try queue()
    try execute("CREATE TRIGGER stray BEFORE INSERT ON delivery BEGIN SELECT RAISE(ABORT, 'stray'); END")
    let outbox = try scene.outbox()
    #expect(try outbox.accept([Scene.event(4)]) { _ in ["a"] } == ["a"])
    #expect(try waiting(outbox).count == 4)
  }

  @Test(arguments: ["DROP TABLE dead", "ALTER TABLE event ADD COLUMN surplus INTEGER", "ALTER TABLE announced RENAME TO lost"])
  func `pending events are recovered from an outbox with altered tables`(sql: String) throws {
    try queue()
    try execute(sql)
    #expect(throws: DatabaseError.self) { try scene.outbox() }
    let outbox = try scene.outbox()
    #expect(try waiting(outbox).map(\.message) == ["d-j-1", "d-j-2", "d-j-3"])
    #expect(try outbox.accept([Scene.event(4)]) { _ in ["a"] } == ["a"])
  }

  @Test func `a damaged clock expires no delivery of a recovered outbox`() throws {
    try queue()
    try execute("UPDATE clock SET microseconds = 4000000000000000; DROP TABLE dead")
    #expect(throws: DatabaseError.self) { try scene.outbox() }
    #expect(try waiting(try scene.outbox()).allSatisfy { $0.deadline > scene.loop.now })
  }

  @Test func `the event of a damaged row becomes a dead letter during recovery`() throws {
    try queue()
    try execute("UPDATE event SET json = replace(json, 'hall', 'hell') WHERE sequence = 2; ALTER TABLE announced RENAME TO lost")
    #expect(throws: DatabaseError.self) { try scene.outbox() }
    let outbox = try scene.outbox()
    #expect(try waiting(outbox).map(\.message) == ["d-j-1", "d-j-3"])
    #expect(try outbox.deadLetters().map(\.reason) == ["its row in the outbox was damaged", "its row in the outbox was damaged"])
  }

  @Test func `rows of pages with one wrong cell are recovered`() throws {
    try queue(400)
    // Damages the number of unused octets at the end of each page, so that cells there seem too long.
    let file = try #require(fopen(scene.path, "r+"))
    fseek(file, 20, SEEK_SET)
    fputc(16, file)
    fclose(file)
    #expect(throws: DatabaseError.self) { try scene.outbox() }
    #expect(try waiting(try scene.outbox()).count == 400)
  }

  @Test(arguments: ["UPDATE dead SET id = 9223372036854775807 WHERE id = 2", "UPDATE sqlite_sequence SET seq = 9223372036854775807"])
  func `a damaged number of a dead letter displaces no other dead letter`(sql: String) throws {
    try queue()
    try scene.outbox().settle((1...2).map { ("a", $0, "down") })
    try execute(sql)
    let outbox = try scene.outbox()
    try outbox.settle([("a", 3, "late")])
    #expect(try outbox.deadLetters().map(\.reason) == ["down", "down", "late"])
  }
}

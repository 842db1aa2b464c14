import Deliveries
import Delivery
import EventLoop
import Glibc
import Instants
import Records
import SQLite
import TestSupport
import Testing

/// Outboxes that are damaged: what is not damaged is delivered, and each loss is said.
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
  func `a time that is damaged traps nothing, and costs no other row`(value: Int64, change: String) throws {
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
    // What was mended stays so.
    #expect(try scene.outbox().note == nil)
  }

  /// As a version without checksums wrote them, or one that computes them anew.
  @Test(arguments: [Int64.min, -1, .max])
  func `a time that means nothing traps nothing, even in a row that is whole`(value: Int64) throws {
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
      ("DELETE FROM head", "nothing says how many rows there have to be", [1, 2, 3], 0),
      ("UPDATE sqlite_sequence SET seq = 9223372036854775807", "", [1, 2, 3], 0),
    ])
  func `a row that is damaged or missing costs itself only, and is told`(sql: String, finding: String, sequences: [Int], letters: Int)
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

  @Test func `a place that is damaged is found again behind the last event that waits`() throws {
    try queue()
    try execute("UPDATE place SET sequence = 9223372036854775807")
    let outbox = try scene.outbox()
    #expect(outbox.note?.contains("it is not known up to where a journal was heard") == true)
    #expect(outbox.places().latest?.sequence == 3)
  }

  @Test func `of an outbox with a damaged page what can be read is taken over at the second start`() throws {
    try queue(400)
    do {
      let outbox = try scene.outbox()
      try outbox.settle((1...10).map { ("b", $0, "down") })
      _ = try outbox.announce(["hall"], to: "home")
      try Database(path: scene.path).execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    // A leaf of `event`, of which there are many: one with the JSON of an event in it.
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
    #expect(note.hasPrefix("\(scene.path) could not be read and is \(scene.path).1 now: "))
    #expect(note.contains(" and 10 dead letters could be read and are kept, ") && note.hasSuffix(" deliveries lost"))
    let (a, b) = (try waiting(outbox), try waiting(outbox, "b"))
    #expect(a.count > 300 && a.count < 400 && a.first?.message == "d-j-1" && a.last?.message == "d-j-400")
    #expect(b.map(\.message) == Array(a.map(\.message).dropFirst(10)))
    #expect(try outbox.deadLetters().count == 10)
    #expect(outbox.places().latest?.sequence == 400)
    #expect(try outbox.announce([], to: "home") == ["hall"])
  }
}

import Delivery
import EventLoop
import Events
import Instants
import SQLite
import TestSupport
import Testing

@Suite struct MailroomTests {
  let scene: Scene
  let outbox: Outbox
  let mailroom: Mailroom

  init() throws {
    scene = try Scene()
    outbox = try scene.outbox()
    mailroom = Mailroom(scene.loop, outbox, log: scene.log.logger)
  }

  private func accept(_ sequence: UInt64, of feed: EventFeed = .config) -> Bool {
    mailroom.accept([Scene.event(sequence)], of: feed, age: { _ in .zero }) { _ in ["a"] } != nil
  }

  @Test func `no event is accepted after a failed one until the reader resumes from the stored place`() throws {
    #expect(accept(1))
    let other = try Database(path: scene.path)
    try other.execute("BEGIN IMMEDIATE")
    #expect(!accept(2))
    try other.execute("ROLLBACK")
    // The event came in the same turn of the loop.
    #expect(!accept(3))
    #expect(!mailroom.begin(at: EventPlaces([EventPlace(journal: "j", sequence: 3)])))
    #expect(accept(7, of: .registered))
    #expect(outbox.places().latest?.sequence == 1)
    #expect(mailroom.resume().latest?.sequence == 1)
    #expect(accept(2) && accept(3))
    #expect(mailroom.begin(at: EventPlaces([EventPlace(journal: "j", sequence: 4)])))
    #expect(outbox.places().latest?.sequence == 4)
  }

  @Test func `targets that are unreadable at first are read again later`() throws {
    let mailroom = Mailroom(scene.loop, outbox, log: scene.log.logger, retryPause: .milliseconds(10))
    #expect(accept(1))
    let other = try Database(path: scene.path)
    try other.execute("ALTER TABLE delivery RENAME TO hidden")
    var targets: [String]?
    mailroom.readTargets { targets = $0 }
    #expect(targets == nil)
    try other.execute("ALTER TABLE hidden RENAME TO delivery")
    try scene.loop.wait { targets != nil }
    #expect(targets == ["a"])
    #expect(scene.log.lines.last == "notice the outbox works again")
  }
}

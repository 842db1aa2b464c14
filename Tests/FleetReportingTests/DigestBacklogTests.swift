import Beacons
import FleetMessages
import Instants
import TestSupport
import Testing

@testable import FleetReporting

@Suite struct DigestBacklogTests {
  static let journal = StreamJournal(high: 1, low: 2)

  /// The surroundings of a backlog, which survive it.
  final class Scene {
    let scheduler = ManualScheduler()
    let store = FakeStore()
    let lines = LogLines()
    let hub: FakeHub
    private(set) var backlog: DigestBacklog

    init(journal: StreamJournal = DigestBacklogTests.journal) {
      hub = FakeHub(scheduler)
      backlog = DigestBacklog(scheduler, store, journal: journal, log: lines.logger)
      follow()
    }

    private func follow() {
      hub.onConnectionChange = { [unowned self] in backlog.connectionChanged() }
      backlog.target = hub
    }

    /// Ends the backlog and begins another one with the same store.
    func restart(journal: StreamJournal) {
      backlog.end()
      backlog = DigestBacklog(scheduler, store, journal: journal, log: lines.logger)
      follow()
    }

    /// Appends a digest with a message every five seconds.
    func digest(for span: Span) {
      for _ in 0..<Int(span.seconds / 5) {
        backlog.append([[DigestBacklogTests.sighting]], time: scheduler.wallClock.microseconds / 1000)
        scheduler.advance(by: .seconds(5))
      }
    }

    /// Appends 50 full messages every second.
    func flood(for span: Span) {
      let digest = [[FleetSighting]](repeating: [FleetSighting](repeating: DigestBacklogTests.sighting, count: 20), count: 50)
      for _ in 0..<Int(span.seconds) {
        backlog.append(digest, time: 0)
        scheduler.advance(by: .seconds(1))
      }
    }
  }

  static let sighting = FleetSighting(
    beacon: BeaconIdentity(uuid: BeaconUUID(high: 7, low: 8), major: 1, minor: 2), level: -60, distance: 120, rate: 50, age: 40)

  @Test func `a reachable hub gets each digest at once, and nothing is stored`() {
    let scene = Scene()
    scene.hub.connect()
    scene.digest(for: .seconds(3600))
    #expect(scene.hub.sequences == Array(1...720))
    #expect(scene.hub.messages.allSatisfy { $0.floor == $0.sequence && $0.journal == Self.journal })
    #expect(scene.store.writes == 0)
  }

  @Test func `digests of ten minutes wait in memory`() {
    let scene = Scene()
    scene.digest(for: .seconds(600))
    #expect(scene.store.writes == 0)
    scene.hub.connect()
    scene.scheduler.advance(by: .seconds(10))
    #expect(scene.hub.sequences == Array(1...120))
  }

  @Test func `digests of four hours without the hub are stored in batches of five minutes, and sent in order at a limited rate`() {
    let scene = Scene()
    scene.digest(for: .seconds(4 * 3600))
    #expect((45...48).contains(scene.store.writes))
    #expect(scene.store.content.allSatisfy { $0.messages.count == 60 })
    scene.hub.connect()
    scene.scheduler.advance(by: .seconds(60))
    #expect((1200...1225).contains(scene.hub.messages.count))
    scene.scheduler.advance(by: .seconds(100))
    #expect(scene.hub.sequences == Array(1...2880))
    #expect(scene.hub.messages.allSatisfy { $0.floor <= $0.sequence })
    #expect(scene.store.content.isEmpty)
    #expect(scene.backlog.dropped == 0)
  }

  @Test func `digests of an earlier run keep their numbers, and the new ones follow`() {
    let scene = Scene()
    scene.digest(for: .seconds(120))
    scene.restart(journal: StreamJournal(high: 9, low: 9))
    scene.digest(for: .seconds(10))
    scene.hub.connect()
    scene.scheduler.advance(by: .seconds(10))
    #expect(scene.hub.sequences == Array(1...24) + [1, 2])
    #expect(scene.hub.messages.suffix(2).allSatisfy { $0.journal.high == 9 && $0.floor == 1 || $0.floor == 2 })
    #expect(scene.store.content.isEmpty)
  }

  @Test func `a digest goes to the store when it has waited for more than ten minutes`() {
    let scene = Scene()
    scene.digest(for: .seconds(605))
    #expect(scene.store.writes == 0, "the first digest is ten minutes older than the last one")
    scene.digest(for: .seconds(5))
    #expect(scene.store.writes == 1)
  }

  @Test func `a stop in a short absence stores its digests in one batch, and a stop without any writes nothing`() {
    let scene = Scene()
    scene.digest(for: .seconds(50))
    scene.restart(journal: StreamJournal(high: 9, low: 9))
    #expect(scene.store.writes == 1)
    scene.hub.connect()
    scene.scheduler.advance(by: .seconds(10))
    #expect(scene.hub.sequences == Array(1...10))
    scene.backlog.end()
    #expect(scene.store.writes == 1)
  }

  @Test func `unacknowledged digests are sent again in their order, and the floor is the first of them`() {
    let scene = Scene()
    scene.hub.answers = false
    scene.digest(for: .seconds(60))
    scene.hub.connect()
    scene.scheduler.advance(by: .seconds(1))
    #expect(scene.hub.pending.map(\.message.sequence) == Array(1...8))
    #expect(scene.hub.pending.allSatisfy { $0.message.floor == 1 })
    scene.hub.acknowledge(3)
    #expect(scene.hub.pending.map(\.message.floor) == [1, 1, 1, 1, 1, 2, 3, 4])
    scene.hub.disconnect()
    scene.hub.answers = true
    scene.hub.connect()
    scene.scheduler.advance(by: .seconds(10))
    #expect(scene.hub.sequences == Array(1...12))
  }

  @Test func `beyond its size the store drops the oldest batches, and counts them`() {
    let scene = Scene()
    scene.store.size = 16 << 20
    scene.digest(for: .seconds(3600))
    #expect(scene.store.content.count == 4)
    #expect(scene.backlog.dropped > 0)
    scene.hub.connect()
    scene.scheduler.advance(by: .seconds(60))
    #expect(scene.hub.sequences == Array((scene.backlog.dropped + 1)...720))
  }

  @Test func `with a full disk digests wait in memory, and the store is tried once a minute`() {
    let scene = Scene()
    scene.store.capacity = 0
    scene.digest(for: .seconds(1800))
    #expect(scene.store.writes == 0 && scene.backlog.dropped == 0)
    #expect(scene.lines.all.count == 1)
    scene.store.capacity = .max
    scene.digest(for: .seconds(120))
    #expect(scene.store.writes == 1)
    #expect(scene.lines.all.last == "digests for the hub are stored again")
    scene.hub.connect()
    scene.scheduler.advance(by: .seconds(60))
    #expect(scene.hub.sequences == Array(1...384))
  }

  @Test func `with a full disk the oldest stored digests give way when memory is full`() {
    let scene = Scene()
    scene.store.capacity = 2
    scene.digest(for: .seconds(1500))
    #expect(scene.store.content.count == 2 && scene.backlog.dropped == 0)
    scene.flood(for: .seconds(160))
    #expect(scene.store.content.count == 2)
    #expect(scene.backlog.dropped >= 60)
    scene.hub.connect()
    scene.scheduler.advance(by: .seconds(600))
    #expect(scene.hub.sequences == Array((scene.backlog.dropped + 1)...8300))
  }

  @Test func `a store that fails without being full keeps its batches, and memory has a size`() {
    let scene = Scene()
    scene.digest(for: .seconds(800))
    #expect(scene.store.content.count == 1)
    scene.store.error = DigestStoreError("a broken disk", isFull: false)
    scene.flood(for: .seconds(160))
    #expect(scene.store.content.count == 1)
    #expect(scene.backlog.dropped > 0)
    scene.hub.connect()
    scene.scheduler.advance(by: .seconds(600))
    #expect(scene.hub.sequences.count == 8160 - Int(scene.backlog.dropped))
    #expect(scene.hub.sequences.prefix(60) == Array(1...60)[...])
  }

  @Test func `a batch that cannot be opened waits while later ones are sent, and is tried again every minute`() {
    let scene = Scene()
    scene.digest(for: .seconds(1800))
    scene.store.closed = [2]
    scene.hub.connect()
    scene.scheduler.advance(by: .seconds(600))
    #expect(scene.hub.sequences == Array(1...60) + Array(121...360))
    #expect(scene.backlog.dropped == 0)
    #expect((9...11).contains(scene.store.failedReads))
    #expect(scene.lines.all == ["batch 2; the digests for the hub in this file wait until it can be opened"])
    scene.store.closed = []
    scene.scheduler.advance(by: .seconds(70))
    #expect(scene.hub.sequences.suffix(60) == Array(61...120)[...])
    #expect(scene.store.content.isEmpty && scene.backlog.dropped == 0)
    #expect(scene.lines.all.last == "stored digests for the hub can be opened again")
  }

  @Test func `a batch that cannot be opened counts for the size of the store, and is the first that is lost`() {
    let scene = Scene()
    scene.store.size = 16 << 20
    scene.digest(for: .seconds(1500))
    scene.store.closed = [1]
    scene.hub.connect()
    scene.scheduler.advance(by: .seconds(30))
    #expect(scene.store.content.map(\.batch.number) == [1])
    scene.hub.disconnect()
    scene.digest(for: .seconds(1400))
    #expect(scene.store.content.count == 4 && scene.backlog.dropped == 0)
    scene.digest(for: .seconds(300))
    #expect(scene.store.content.count == 4 && scene.store.content.first?.batch.number != 1)
    #expect(scene.backlog.dropped == 60)
  }

  @Test func `a closed batch and a hub that does not acknowledge cause no work`() {
    let scene = Scene()
    scene.digest(for: .seconds(1800))
    scene.store.closed = [1]
    scene.hub.answers = false
    scene.hub.connect()
    scene.scheduler.advance(by: .seconds(3600))
    #expect(scene.hub.pending.count == 8 && scene.store.failedReads == 1)
  }

  @Test func `a damaged batch is counted and skipped`() {
    let scene = Scene()
    scene.digest(for: .seconds(1800))
    scene.store.damaged = [2]
    scene.hub.connect()
    scene.scheduler.advance(by: .seconds(60))
    #expect(scene.backlog.dropped == 60)
    #expect(scene.hub.sequences == Array(1...60) + Array(121...360))
  }

  @Test func `many beacons cannot grow the memory, and are stored not more often than once a minute`() {
    let scene = Scene()
    scene.flood(for: .seconds(300))
    #expect((1...4).contains(scene.store.writes))
    #expect(scene.backlog.dropped == 0)
  }
}

import DeliveryScheduling
import Events
import Instants
import TestSupport
import Testing

@testable import Notification

@Suite struct OutboxBatcherTests {
  private let world = World()
  private let batcher: OutboxBatcher

  init() {
    batcher = OutboxBatcher(world.scheduler, world.outbox, log: world.lines.logger)
  }

  private func accept(_ sequence: UInt64, of feed: EventFeed = .config) -> Bool {
    batcher.accept([World.event(sequence)], of: feed, age: { _ in .zero }) { _ in ["a"] } != nil
  }

  private func place(_ sequence: UInt64) -> EventPlaces { EventPlaces([EventPlace(journal: "j", sequence: sequence)]) }

  @Test func `after a refused event all later ones of its feed are refused until the feed resumes`() {
    #expect(accept(1))
    world.outbox.isFailing = true
    #expect(!accept(2))
    world.outbox.isFailing = false
    #expect(!accept(3))
    batcher.begin(at: place(3))
    #expect(accept(7, of: .registered))
    #expect(world.outbox.places(of: .config).latest?.sequence == 1)
    #expect(batcher.resume(.config).latest?.sequence == 1)
    #expect(accept(2) && accept(3))
    batcher.begin(at: place(4))
    #expect(world.outbox.places(of: .config).latest?.sequence == 4)
  }

  @Test func `targets that the disk does not give at first are read again`() {
    #expect(accept(1))
    world.outbox.isFailing = true
    var targets: [String]?
    batcher.readTargets { targets = $0 }
    world.scheduler.advance(by: .seconds(25))
    #expect(targets == nil)
    world.outbox.isFailing = false
    world.scheduler.advance(by: .seconds(10))
    #expect(targets == ["a"])
    #expect(world.lines.all == ["disk full", "the outbox works again"])
  }

  @Test func `settled deliveries are committed together after 100 ms`() {
    #expect(accept(1) && accept(2))
    batcher.settle("a", 1, reason: nil)
    world.scheduler.advance(by: .milliseconds(60))
    batcher.settle("a", 2, reason: nil)
    world.scheduler.advance(by: .milliseconds(39))
    #expect(world.outbox.sequences("a") == [1, 2])
    world.scheduler.advance(by: .milliseconds(1))
    #expect(world.outbox.sequences("a").isEmpty)
  }
}

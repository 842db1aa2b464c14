import DeliveryScheduling
import EventActions
import Events
import Instants
import Publishing
import TestSupport
import Testing

@testable import Notification

@Suite struct DeliveryWorkerTests {
  private let world = World()
  private let batcher: OutboxBatcher

  init() {
    batcher = OutboxBatcher(world.scheduler, world.outbox, log: world.lines.logger)
  }

  private func worker(_ name: String = "a", _ policy: DeliveryPolicy = DeliveryPolicy()) throws -> DeliveryWorker {
    try worker(World.target(name, policy))
  }

  private func worker(_ target: Target) throws -> DeliveryWorker {
    let place = try world.factory.prepare(target) { .none }.make()
    return DeliveryWorker(world.scheduler, target, to: place, batcher, log: world.lines.logger)
  }

  private func accept(_ sequences: ClosedRange<UInt64>, age: Span = .zero) {
    _ = batcher.accept(sequences.map { World.event($0) }, of: .config, age: { _ in age }) { _ in ["a"] }
  }

  @Test func `more deliveries than fit into memory arrive in order`() throws {
    accept(1...500)
    let worker = try worker()
    world.scheduler.settle()
    #expect(world.factory.attempts("a") == Array(1...500))
    accept(501...600)
    worker.deliveryQueued()
    world.scheduler.settle()
    #expect(world.factory.attempts("a") == Array(1...600))
    #expect(batcher.waitingCount == 0)
  }

  @Test func `an outage is logged once at its start and once at its end`() throws {
    accept(1...3)
    var isBack = false
    world.factory.answer = { _, _ in isBack ? .delivered : .failed("down") }
    let worker = try worker()
    world.scheduler.advance(by: .seconds(120))
    isBack = true
    world.scheduler.advance(by: .seconds(300))
    #expect(world.factory.attempts("a").suffix(2) == [2, 3])
    #expect(world.lines.all.count == 2)
    #expect(world.lines.all.first == "a for event 1 (enter hall): down; retrying")
    #expect(world.lines.all.last?.hasPrefix("a: available again after ") == true)
    withExtendedLifetime(worker) {}
  }

  @Test func `a refused delivery becomes a dead letter and the next one follows`() throws {
    accept(1...3)
    world.factory.answer = { _, delivery in delivery.event.sequence == 2 ? .refused("the server answered 400") : .delivered }
    let worker = try worker()
    world.scheduler.settle()
    #expect(world.factory.attempts("a") == [1, 2, 3] && batcher.waitingCount == 0)
    #expect(world.outbox.deadLetters == [.init(target: "a", sequence: 2, reason: "the server answered 400")])
    #expect(world.lines.all == ["a for event 2 (enter hall): the server answered 400"])
    withExtendedLifetime(worker) {}
  }

  @Test func `a delivery that fails for longer than give-up becomes a dead letter`() throws {
    accept(1...1)
    world.factory.answer = { _, _ in .failed("down") }
    let worker = try worker("a", DeliveryPolicy(giveUp: .seconds(60)))
    world.scheduler.advance(by: .seconds(61))
    #expect(batcher.waitingCount == 0)
    #expect(world.outbox.deadLetters.map(\.reason) == ["given up after 1m: down"])
    withExtendedLifetime(worker) {}
  }

  @Test func `an event that is too old is skipped for good`() throws {
    accept(1...1, age: .seconds(700))
    accept(2...2)
    let worker = try worker("a", DeliveryPolicy(maximumAge: .seconds(600)))
    world.scheduler.settle()
    #expect(world.factory.attempts("a") == [2] && batcher.waitingCount == 0)
    #expect(world.outbox.deadLetters.isEmpty)
    #expect(world.lines.all == ["a for event 1 (enter hall): skipped, because it is older than 10m"])
    withExtendedLifetime(worker) {}
  }

  @Test func `deliveries that the disk does not give at first are read again`() throws {
    accept(1...2)
    world.outbox.isFailing = true
    let worker = try worker()
    world.scheduler.advance(by: .seconds(25))
    #expect(world.factory.attempts.isEmpty)
    world.outbox.isFailing = false
    world.scheduler.advance(by: .seconds(10))
    #expect(world.factory.attempts("a") == [1, 2])
    withExtendedLifetime(worker) {}
  }

  @Test func `a target that reports its return gets the delivery without the pause after a failure`() throws {
    accept(1...1)
    let place = ReturningPlace(world.scheduler)
    let policy = DeliveryPolicy(firstPause: .seconds(3600), longestPause: .seconds(3600))
    let worker = DeliveryWorker(world.scheduler, World.target("a", policy), to: place, batcher, log: world.lines.logger)
    world.scheduler.settle()
    place.outcome = .delivered
    place.onReturn()
    world.scheduler.settle()
    #expect(place.attempts == 2 && batcher.waitingCount == 0)
    withExtendedLifetime(worker) {}
  }

  @Test func `commands of different regions run at once, and those of one region in order`() throws {
    let events = [World.event(1), World.event(2), World.event(3, region: "till")]
    _ = batcher.accept(events, of: .config, age: { _ in .zero }) { _ in ["a"] }
    world.factory.answer = { _, _ in nil }
    let worker = try worker(Target(name: "a", .command(["true"], timeout: .seconds(30))))
    world.scheduler.settle()
    #expect(world.factory.attempts("a") == [1, 3])
    withExtendedLifetime(worker) {}
  }
}

/// A target that is unavailable until a test makes it available.
private final class ReturningPlace: ReturningTarget {
  var onReturn: () -> Void = {}
  var outcome = DeliveryOutcome.failed("away")
  private(set) var attempts = 0
  private let scheduler: ManualScheduler

  init(_ scheduler: ManualScheduler) {
    self.scheduler = scheduler
  }

  func deliver(_ delivery: Delivery, completion: @escaping (DeliveryOutcome) -> Void) {
    attempts += 1
    scheduler.enqueue { [outcome] in completion(outcome) }
  }
}

import DeliveryScheduling
import EventActions
import Events
import Instants
import Metrics
import Notification
import TestSupport
import Testing

/// The figures for metrics and for the health.
@Suite struct NotificationFiguresTests {
  private let world = World()

  private func report(_ sequences: ClosedRange<UInt64>) {
    for sequence in sequences { world.link.report(World.event(sequence)) }
    world.scheduler.settle()
  }

  private func results(_ service: NotificationService, _ target: Int = 0) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: service.figures.targets[target].results.map { ($0.name, $0.count) })
  }

  @Test func `deliveries are counted by outcome, even across a reload`() throws {
    world.factory.answer = { _, delivery in delivery.event.sequence == 2 ? .refused("no") : .delivered }
    let service = try world.start()
    report(1...3)
    #expect(results(service) == ["delivered": 2, "failed": 0, "given_up": 1, "skipped": 0])
    let other = World.target("a", DeliveryPolicy(giveUp: .seconds(600)))
    try service.reconfigure(World.settings([other]))
    report(4...4)
    #expect(results(service) == ["delivered": 3, "failed": 0, "given_up": 1, "skipped": 0])
    #expect(service.figures.isMonitorThere)
  }

  @Test func `a failing target has waiting deliveries with the age of the oldest`() throws {
    world.factory.answer = { _, _ in .failed("down") }
    let service = try world.start()
    report(1...2)
    world.scheduler.advance(by: .seconds(30))
    report(3...3)
    let target = try #require(service.figures.targets.first)
    #expect(target.waiting == 3)
    #expect(target.oldest == .seconds(30))
    #expect(results(service)["failed"] ?? 0 > 1)
    world.factory.answer = { _, _ in .delivered }
    world.scheduler.advance(by: .seconds(600))
    #expect(service.figures.targets.first?.waiting == 0 && service.figures.targets.first?.oldest == nil)
  }

  @Test func `targets of actions with the same label have names of their own`() throws {
    let first = Target(inline: .log(.empty), besides: [])
    let second = Target(inline: .log(.empty), besides: [first.name])
    let service = try world.start([first, second])
    #expect(service.figures.targets.map(\.name) == ["log", "log #2"])
  }

  @Test func `all apps share one target`() throws {
    let service = try world.start([], wakesApplications: true)
    #expect(service.figures.targets.map(\.name) == ["apps"])
  }

  @Test func `deliveries survive a restart unless the outbox is in memory or its disk fails`() throws {
    let service = try world.start()
    #expect(service.figures.isOutboxDurable)
    world.outbox.isFailing = true
    report(1...1)
    #expect(service.figures.isOutboxFailing && !service.figures.isOutboxDurable)
    let other = World()
    other.outbox.isOnDisk = false
    let volatile = try other.start()
    #expect(!volatile.figures.isOutboxDurable && !volatile.figures.isOutboxFailing)
  }

  @Test func `deliveries survive a restart when the file has replaced the outbox in memory`() throws {
    let (memory, file) = (FakeOutbox(world.scheduler), FakeOutboxFile())
    memory.isOnDisk = false
    let service = try world.start(inMemory: memory, file)
    #expect(!service.figures.isOutboxDurable)
    file.result = .opened(world.outbox)
    world.scheduler.advance(by: .seconds(60))
    #expect(service.figures.isOutboxDurable)
  }
}

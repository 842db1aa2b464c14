import DeliveryScheduling
import EventActions
import Events
import Failures
import Instants
import Notification
import TestSupport
import Testing

@Suite struct NotificationServiceTests {
  private let world = World()

  private var attempts: [UInt64] { world.factory.attempts("a") }

  /// Reports events, and lets the notifier deliver them.
  private func report(_ sequences: ClosedRange<UInt64>) {
    for sequence in sequences { world.link.report(World.event(sequence)) }
    world.scheduler.settle()
  }

  private func pass(_ seconds: Double) { world.scheduler.advance(by: .seconds(seconds)) }

  // MARK: Restarts

  @Test func `events left in the outbox by a crash are delivered after the restart in their order`() throws {
    world.factory.answer = { _, _ in nil }
    var service: NotificationService? = try world.start()
    report(1...3)
    #expect(attempts == [1])
    withExtendedLifetime(service) {}
    service = nil
    world.factory.answer = { _, _ in .delivered }
    service = try world.start()
    #expect(attempts == [1, 1, 2, 3])
    pass(1)
    #expect(world.outbox.sequences("a").isEmpty)
    withExtendedLifetime(service) {}
  }

  @Test func `a delivery that a crash did not let commit is repeated, and a committed one is not`() throws {
    var service: NotificationService? = try world.start()
    report(1...1)
    pass(0.1)
    report(2...2)
    #expect(attempts == [1, 2])
    withExtendedLifetime(service) {}
    service = nil
    service = try world.start()
    #expect(attempts == [1, 2, 2])
    withExtendedLifetime(service) {}
  }

  @Test func `an orderly end commits every delivery and reports those that wait`() throws {
    world.factory.answer = { _, delivery in delivery.event.sequence == 1 ? .delivered : nil }
    var service: NotificationService? = try world.start()
    report(1...3)
    service?.end()
    #expect(world.lines.all.last == "2 deliveries wait")
    service = nil
    service = try world.start()
    #expect(attempts == [1, 2, 2])
    withExtendedLifetime(service) {}
  }

  @Test func `a new notifier begins with the next event, and misses none from then on`() throws {
    report(1...2)
    var service: NotificationService? = try world.start()
    pass(1)
    #expect(attempts.isEmpty)
    withExtendedLifetime(service) {}
    service = nil
    report(3...3)
    service = try world.start()
    #expect(attempts == [3])
    withExtendedLifetime(service) {}
  }

  // MARK: A disk that fails

  @Test func `an event that the disk refuses is fetched again with all later ones, and none is lost`() throws {
    let service = try world.start()
    report(1...2)
    world.outbox.isFailing = true
    world.link.report(World.event(3))
    world.outbox.isFailing = false
    // The feed has not been dropped yet, so these events must not move the place behind the refused one.
    world.link.report(World.event(4))
    report(5...5)
    #expect(attempts == [1, 2] && world.outbox.stored[.config]?.latest?.sequence == 2)
    pass(10)
    #expect(attempts == [1, 2, 3, 4, 5])
    #expect(world.lines.all.contains("disk full") && world.lines.all.contains("the outbox works again"))
    withExtendedLifetime(service) {}
  }

  @Test func `an outbox on a disk that fails at the start is delivered when the disk works`() throws {
    world.factory.answer = { _, _ in nil }
    var service: NotificationService? = try world.start([World.target("a"), World.target("b")])
    report(1...2)
    withExtendedLifetime(service) {}
    service = nil
    world.factory.answer = { _, _ in .delivered }
    world.outbox.isFailing = true
    service = try world.start([World.target("a"), World.target("b")])
    report(3...3)
    pass(30)
    #expect(attempts == [1])
    world.outbox.isFailing = false
    pass(10)
    #expect(attempts == [1, 1, 2, 3])
    #expect(world.factory.attempts("b") == [1, 1, 2, 3])
    #expect(world.lines.all.count { $0 == "disk full" } == 1)
    withExtendedLifetime(service) {}
  }

  @Test func `a place to begin that the disk refuses at the start is stored when the disk works`() throws {
    world.outbox.isFailing = true
    var service: NotificationService? = try world.start()
    #expect(world.outbox.stored[.config] == nil)
    world.outbox.isFailing = false
    pass(10)
    withExtendedLifetime(service) {}
    service = nil
    // A notifier without a stored place would begin behind this event.
    report(1...1)
    service = try world.start()
    #expect(attempts == [1])
    withExtendedLifetime(service) {}
  }

  @Test func `deliveries of a removed target become dead letters even if the disk fails at the reload`() throws {
    world.factory.answer = { _, _ in .failed("down") }
    let service = try world.start([World.target("a"), World.target("b")])
    report(1...1)
    world.outbox.isFailing = true
    try service.reconfigure(World.settings([World.target("b")]))
    pass(5)
    // Only the last settings count.
    try service.reconfigure(World.settings([World.target("c"), World.target("b")]))
    #expect(world.outbox.deadLetters.isEmpty)
    world.outbox.isFailing = false
    pass(10)
    #expect(world.outbox.deadLetters.map(\.target) == ["a"])
    #expect(world.outbox.sequences("b") == [1])
  }

  @Test func `outcomes that the disk refuses are committed later`() throws {
    let service = try world.start()
    report(1...1)
    world.outbox.isFailing = true
    pass(1)
    #expect(world.outbox.sequences("a") == [1])
    world.outbox.isFailing = false
    pass(10)
    #expect(world.outbox.sequences("a").isEmpty)
    #expect(attempts == [1])
    withExtendedLifetime(service) {}
  }

  @Test func `a reload while the disk fails requests the refused events at once`() throws {
    let service = try world.start()
    world.outbox.isFailing = true
    report(1...1)
    #expect(world.link.followed.isEmpty)
    world.outbox.isFailing = false
    try service.reconfigure(World.settings([World.target("a")]))
    world.scheduler.settle()
    #expect(attempts == [1])
    pass(20)
    #expect(attempts == [1] && world.link.followed == [.config])
  }

  // MARK: Targets

  @Test func `a target that fails and returns gets each event in order and delays no other target`() throws {
    var isBack = false
    world.factory.answer = { target, _ in target == "a" && !isBack ? .failed("down") : .delivered }
    let service = try world.start([World.target("a"), World.target("b")])
    report(1...5)
    #expect(world.factory.attempts("b") == [1, 2, 3, 4, 5])
    pass(60)
    #expect(Set(attempts) == [1] && attempts.count > 2)
    isBack = true
    pass(300)
    #expect(attempts.drop { $0 == 1 } == [2, 3, 4, 5])
    withExtendedLifetime(service) {}
  }

  @Test func `each target gets the events of its regions in the order of the journal`() throws {
    let service = try world.start([])
    let actions = [EventAction(regions: ["till"], targets: ["a"]), EventAction(targets: ["b"])]
    try service.reconfigure(
      NotificationSettings(targets: [World.target("a"), World.target("b")], actions: actions, regions: ["hall", "till"]))
    for sequence in 1...6 as ClosedRange<UInt64> {
      world.link.report(World.event(sequence, region: sequence.isMultiple(of: 2) ? "till" : "hall"))
    }
    world.scheduler.settle()
    #expect(attempts == [2, 4, 6])
    #expect(world.factory.attempts("b") == [1, 2, 3, 4, 5, 6])
  }

  @Test func `deliveries of a removed target become dead letters`() throws {
    world.factory.answer = { _, _ in .failed("down") }
    let service = try world.start([World.target("a"), World.target("b")])
    report(1...2)
    try service.reconfigure(World.settings([World.target("b")]))
    #expect(world.outbox.deadLetters.map(\.target) == ["a", "a"])
    #expect(world.outbox.sequences("b") == [1, 2])
    #expect(
      world.lines.all.last
        == "2 deliveries to targets that are no longer in the configuration became dead letters; list them with \"beaconmon-notifier --outbox\""
    )
  }

  @Test func `events for the hub wait while the config has none, and those for another target named hub become dead letters`() throws {
    let (hub, former) = (World.target(HubSettings.queue), World.target(HubSettings.name))
    world.factory.answer = { _, _ in .failed("down") }
    let service = try world.start([hub, former, World.target("b")])
    report(1...2)
    try service.reconfigure(World.settings([World.target("b")]))
    #expect(world.outbox.deadLetters.map(\.target) == ["hub", "hub"])
    #expect(world.outbox.sequences("hub") == [] && world.outbox.sequences(hub.name) == [1, 2])
    world.factory.answer = { _, _ in .delivered }
    try service.reconfigure(World.settings([hub, World.target("b")]))
    world.scheduler.advance(by: .seconds(10))
    #expect(world.outbox.sequences(hub.name) == [])
  }

  @Test func `a reload keeps the workers of unchanged targets, and a refused one changes nothing`() throws {
    let service = try world.start()
    try service.reconfigure(World.settings([World.target("a"), World.target("b")]))
    #expect(world.factory.made == ["a", "b"])
    world.factory.broken = "c"
    #expect(throws: Failure.self) { try service.reconfigure(World.settings([World.target("c")])) }
    report(1...1)
    #expect(attempts == [1] && world.factory.attempts("b") == [1])
  }
}

import DeliveryScheduling
import EventActions
import Events
import Instants
import Notification
import TestSupport
import Testing

/// A notifier with an outbox in memory, because the file cannot be opened when it starts.
@Suite struct OutboxReopenerTests {
  private let world = World()
  private let memory: FakeOutbox
  private let file = FakeOutboxFile()

  init() {
    memory = FakeOutbox(world.scheduler)
  }

  private var attempts: [UInt64] { world.factory.attempts("a") }

  /// Reports events, and lets the notifier deliver them.
  private func report(_ sequences: ClosedRange<UInt64>, journal: String = "j") {
    for sequence in sequences { world.link.report(World.event(sequence, journal: journal)) }
    world.scheduler.settle()
  }

  private func pass(_ seconds: Double) { world.scheduler.advance(by: .seconds(seconds)) }

  /// Stores events for the target `a` as an earlier run of the notifier.
  private func queueEarlier(_ sequences: ClosedRange<UInt64>) throws {
    for sequence in sequences { world.link.report(World.event(sequence)) }
    _ = try world.outbox.accept(sequences.map { World.event($0) }, of: .config, age: { _ in .zero }) { _ in ["a"] }
  }

  @Test func `an outbox file that can be opened later brings its deliveries and the events since then, each once and in order`() throws {
    try queueEarlier(1...2)
    report(3...4)
    let service = try world.start(inMemory: memory, file)
    pass(120)
    #expect(attempts.isEmpty && file.attempts > 2)
    file.result = .opened(world.outbox)
    pass(80)
    #expect(attempts == [1, 2, 3, 4])
    report(5...5)
    pass(1)
    #expect(attempts == [1, 2, 3, 4, 5])
    #expect(world.outbox.stored[.config]?.latest?.sequence == 5 && world.outbox.sequences("a").isEmpty)
    #expect(world.link.followed == [.config])
    withExtendedLifetime(service) {}
  }

  @Test func `the log reports once that the outbox is in memory and once that it is on disk`() throws {
    let service = try world.start(inMemory: memory, file)
    pass(300)
    file.result = .opened(world.outbox)
    pass(300)
    let lines = world.lines.all.filter { $0.contains("outbox") }
    #expect(
      lines == [
        "disk missing; mount it; until then the outbox is in memory, and a restart may lose deliveries", "the outbox is on disk",
      ])
    withExtendedLifetime(service) {}
  }

  @Test func `a file without a place continues at the place where the notifier began in memory`() throws {
    report(1...3)
    let service = try world.start(inMemory: memory, file)
    // The event goes to no target, so it moves the place only.
    try service.reconfigure(NotificationSettings(targets: [World.target("a")], actions: [EventAction(targets: [])], regions: ["hall"]))
    report(4...4)
    try service.reconfigure(World.settings([World.target("a")]))
    file.result = .opened(world.outbox)
    world.link.stop()
    pass(80)
    #expect(world.outbox.stored[.config]?.latest?.sequence == 4)
    report(5...5)
    world.link.start()
    world.scheduler.settle()
    #expect(attempts == [5])
  }

  @Test func `events of a new journal that the daemon began meanwhile are delivered from the file`() throws {
    try queueEarlier(1...1)
    let service = try world.start(inMemory: memory, file)
    world.link.stop()
    report(1...2, journal: "k")
    file.result = .opened(world.outbox)
    pass(80)
    #expect(attempts == [1])
    world.link.start()
    world.scheduler.settle()
    #expect(attempts == [1, 1, 2])
    withExtendedLifetime(service) {}
  }

  @Test func `deliveries that were queued in memory move to the file in their order, and each is made once`() throws {
    try queueEarlier(1...1)
    report(2...3)
    world.factory.answer = { [file] _, delivery in delivery.event.sequence == 4 || file.attempts > 0 ? .delivered : .failed("no network") }
    let service = try world.start(inMemory: memory, file)
    report(4...6)
    pass(1)
    #expect(attempts.first == 4 && memory.sequences("a") == [5, 6])
    world.link.stop()
    file.result = .opened(world.outbox)
    pass(120)
    let afterFailures = attempts.drop { $0 != 1 }
    #expect(afterFailures == [1, 5, 6])
    #expect(world.outbox.sequences("a").isEmpty && world.outbox.stored[.config]?.latest?.sequence == 1)
    world.link.start()
    world.scheduler.settle()
    report(7...7)
    #expect(attempts.suffix(3) == [2, 3, 7], "the events of the time before the notifier ran follow, and none of the others again")
    #expect(world.outbox.stored[.config]?.latest?.sequence == 7)
    withExtendedLifetime(service) {}
  }

  @Test func `an attempt under way ends before the file replaces the outbox, and is not repeated`() throws {
    world.factory.answer = { _, _ in nil }
    let service = try world.start(inMemory: memory, file)
    report(1...2)
    file.result = .opened(world.outbox)
    pass(30)
    #expect(attempts == [1] && world.outbox.sequences("a").isEmpty && memory.sequences("a") == [1, 2])
    world.factory.answerPending(.delivered)
    world.factory.answer = { _, _ in .delivered }
    pass(30)
    #expect(attempts == [1, 2] && world.lines.all.last == "the outbox is on disk")
    withExtendedLifetime(service) {}
  }

  @Test func `the older events of a file change no state at a broker`() throws {
    _ = try world.outbox.accept([World.event(1)], of: .config, age: { _ in .zero }) { _ in ["broker"] }
    world.link.states = [.success([RegionStateReport(region: "hall", state: .outside, beacon: nil)])]
    report(1...2)
    let service = try world.start(inMemory: memory, file, [World.target("broker")])
    world.factory.brokers["broker"]?.forgetChanges()
    report(3...3)
    file.result = .opened(world.outbox)
    pass(80)
    #expect(world.factory.attempts("broker") == [3, 1, 2])
    #expect(Set(world.factory.brokers["broker"]?.payloads("base/region/hall/event") ?? []) == [World.event(3).json])
    withExtendedLifetime(service) {}
  }

  @Test func `a target that does not answer delays the others for a minute at most, and the file is opened later`() throws {
    world.factory.answer = { target, _ in target == "a" ? nil : .delivered }
    let service = try world.start(inMemory: memory, file, [World.target("a"), World.target("b")])
    report(1...1)
    file.result = .opened(world.outbox)
    pass(10)
    report(2...2)
    pass(80)
    #expect(world.factory.attempts("b") == [1, 2] && !world.lines.all.contains("the outbox is on disk"))
    world.factory.answer = { _, _ in .delivered }
    world.factory.answerPending(.delivered)
    pass(80)
    #expect(world.lines.all.last == "the outbox is on disk")
    withExtendedLifetime(service) {}
  }

  @Test func `a file whose disk fails while it takes over deliveries is opened again later`() throws {
    world.factory.answer = { _, _ in .failed("no network") }
    let service = try world.start(inMemory: memory, file)
    report(1...1)
    world.outbox.isFailing = true
    file.result = .opened(world.outbox)
    pass(200)
    #expect(memory.sequences("a") == [1] && file.attempts > 1)
    world.outbox.isFailing = false
    world.factory.answer = { _, _ in .delivered }
    pass(80)
    #expect(world.outbox.deadLetters.isEmpty && world.outbox.sequences("a").isEmpty && attempts.last == 1)
    withExtendedLifetime(service) {}
  }

  @Test func `a file with unreadable content is reported once and not opened again`() throws {
    let service = try world.start(inMemory: memory, file)
    file.result = .unreadable("outbox.db: damaged; move it away")
    pass(600)
    #expect(file.attempts == 1)
    #expect(world.lines.all.count { $0.hasPrefix("outbox.db: damaged; move it away") } == 1)
    report(1...1)
    #expect(attempts == [1])
    withExtendedLifetime(service) {}
  }

  @Test func `deliveries of targets that a reload removed meanwhile become dead letters when the file is opened`() throws {
    try queueEarlier(1...2)
    let service = try world.start(inMemory: memory, file)
    try service.reconfigure(World.settings([World.target("b")]))
    file.result = .opened(world.outbox)
    pass(80)
    #expect(world.outbox.deadLetters.map(\.sequence) == [1, 2] && attempts.isEmpty)
    report(3...3)
    #expect(world.factory.attempts("b") == [3])
  }

  @Test func `a file that fails again after it was opened is retried like one that was open from the start`() throws {
    let service = try world.start(inMemory: memory, file)
    world.outbox.isFailing = true
    file.result = .opened(world.outbox)
    pass(80)
    report(1...1)
    #expect(attempts.isEmpty)
    world.outbox.isFailing = false
    pass(20)
    #expect(attempts == [1] && world.outbox.stored[.config]?.latest?.sequence == 1)
    withExtendedLifetime(service) {}
  }

  @Test func `apps get the events that waited in the file for them`() throws {
    let app = Target(application: "org.example.Guide").name
    let event = World.event(1, ofApp: "org.example.Guide")
    _ = try world.outbox.accept([event], of: .registered, age: { _ in .zero }) { _ in [app] }
    let service = try world.start(inMemory: memory, file, [], wakesApplications: true)
    file.result = .opened(world.outbox)
    pass(80)
    #expect(world.factory.attempts(app) == [1])
    withExtendedLifetime(service) {}
  }
}

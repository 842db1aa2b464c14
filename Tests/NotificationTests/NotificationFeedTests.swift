import DeliveryScheduling
import Events
import Instants
import Notification
import Publishing
import Regions
import TestSupport
import Testing

/// The daemon as a source of events and states, and the apps and brokers that receive them.
@Suite struct NotificationFeedTests {
  private let world = World()

  private var attempts: [UInt64] { world.factory.attempts("a") }

  /// Reports events, and lets the notifier deliver them.
  private func report(_ sequences: ClosedRange<UInt64>) {
    for sequence in sequences { world.link.report(World.event(sequence)) }
    world.scheduler.settle()
  }

  private func pass(_ seconds: Double) { world.scheduler.advance(by: .seconds(seconds)) }

  // MARK: The daemon

  @Test func `events from an absence of the daemon are delivered after its return`() throws {
    let service = try world.start()
    report(1...1)
    world.link.stop()
    report(2...3)
    pass(3600)
    #expect(attempts == [1])
    world.link.start()
    world.scheduler.settle()
    #expect(attempts == [1, 2, 3])
    let waiting = "beaconmond is running; waiting for events"
    #expect(world.lines.all == [waiting, "beaconmond is not running; waiting for it", waiting])
    withExtendedLifetime(service) {}
  }

  @Test func `a daemon that does not answer is reported`() throws {
    let service = try world.start()
    world.link.fail("timed out")
    #expect(world.lines.all.last == "beaconmond does not report its events: timed out")
    withExtendedLifetime(service) {}
  }

  @Test func `a missed event is as old as its time, and a new one is new whatever its time`() throws {
    let target = World.target("a", DeliveryPolicy(maximumAge: .seconds(600)))
    let old = world.scheduler.wallClock - .seconds(700)
    let service = try world.start([target])
    // The times of a played capture are old.
    world.link.report(World.event(1, time: old))
    world.link.stop()
    world.link.report(World.event(2, time: old))
    world.link.report(World.event(3, time: world.scheduler.wallClock - .seconds(500)))
    world.link.start()
    world.scheduler.settle()
    #expect(attempts == [1, 3])
    #expect(world.lines.all.contains("a for event 2 (enter hall): skipped, because it is older than 10m"))
    withExtendedLifetime(service) {}
  }

  @Test func `a damaged event is logged instead of delivered`() throws {
    let service = try world.start()
    var damaged = Event.damaged(4...6, .unreadable)
    damaged.journal = "j"
    world.link.report(damaged)
    world.scheduler.settle()
    #expect(world.lines.all.last == "events 4 to 6 of journal j cannot be recovered and will not be delivered")
    #expect(attempts.isEmpty)
    withExtendedLifetime(service) {}
  }

  // MARK: Brokers

  @Test func `a broker gets the states that the daemon reports, and whether it runs`() throws {
    world.link.states = [.success([RegionStateReport(region: "hall", state: .outside, beacon: nil)])]
    let service = try world.start([World.target("broker")])
    let broker = try #require(world.factory.brokers["broker"])
    #expect(broker.isCurrent)
    #expect(broker.announced.contains { $0.payload == "outside" })
    world.link.stop()
    #expect(!broker.isCurrent)
    withExtendedLifetime(service) {}
  }

  @Test func `states are requested until the daemon reports them, and not while it is away`() throws {
    let known = RegionStateReport(region: "hall", state: .outside, beacon: nil)
    world.link.states = [.failure(MonitorFailure("timed out")), .failure(MonitorFailure("timed out")), .success([known])]
    let service = try world.start([World.target("broker")])
    // The presence of the daemon may be known only after the first answer.
    pass(10)
    let requests = world.link.stateRequests
    #expect(world.lines.all.contains("beaconmond does not report its regions: timed out; retrying"))
    pass(3600)
    #expect(world.link.stateRequests == requests && requests == 3)
    world.link.states = [.failure(MonitorFailure("timed out"))]
    world.link.stop()
    world.link.start()
    pass(1)
    world.link.stop()
    let last = world.link.stateRequests
    pass(3600)
    #expect(world.link.stateRequests == last)
    withExtendedLifetime(service) {}
  }

  // MARK: Apps

  @Test func `an app is woken for all events at its regions, even those from before the first start`() throws {
    world.link.report(World.event(1, ofApp: "org.example.Guide"), of: .registered)
    let service = try world.start([], wakesApplications: true)
    world.link.report(World.event(2, ofApp: "org.example.Guide"), of: .registered)
    world.link.report(World.event(3, ofApp: "org.example.Other"), of: .registered)
    world.scheduler.settle()
    #expect(world.factory.attempts("application org.example.Guide") == [1, 2])
    #expect(world.factory.attempts("application org.example.Other") == [3])
    withExtendedLifetime(service) {}
  }

  @Test func `an app that could not be woken before a restart is woken after it`() throws {
    world.factory.answer = { _, _ in .failed("not installed") }
    var service: NotificationService? = try world.start([], wakesApplications: true)
    world.link.report(World.event(1, ofApp: "org.example.Guide"), of: .registered)
    world.scheduler.settle()
    withExtendedLifetime(service) {}
    service = nil
    world.factory.answer = { _, _ in .delivered }
    world.outbox.isFailing = true
    service = try world.start([], wakesApplications: true)
    #expect(world.factory.attempts.count == 1)
    world.outbox.isFailing = false
    pass(10)
    #expect(world.factory.attempts("application org.example.Guide") == [1, 1])
    withExtendedLifetime(service) {}
  }

  @Test func `a notifier that only wakes apps follows the config's events when an action needs them`() throws {
    let service = try world.start([], wakesApplications: true)
    #expect(world.link.followed == [.registered])
    try service.reconfigure(World.settings([World.target("a")]))
    #expect(world.link.followed == [.registered, .config])
    world.scheduler.settle()
    report(1...1)
    #expect(attempts == [1])
  }

  @Test func `the consent to registered regions is passed on`() throws {
    let service = try world.start([], wakesApplications: true)
    var consents: [Bool] = []
    service.onConsentChange = { consents.append($0) }
    world.link.report(consent: false)
    world.link.report(consent: true)
    #expect(consents == [false, true])
  }

  @Test func `registered events that the disk refuses are fetched again without those of the config`() throws {
    let service = try world.start(wakesApplications: true)
    world.outbox.isFailing = true
    world.link.report(World.event(1, ofApp: "org.example.Guide"), of: .registered)
    world.outbox.isFailing = false
    world.scheduler.settle()
    #expect(world.link.followed == [.config])
    report(1...1)
    pass(10)
    #expect(attempts == [1])
    #expect(world.factory.attempts("application org.example.Guide") == [1])
    withExtendedLifetime(service) {}
  }
}

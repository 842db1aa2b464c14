import DeliveryScheduling
import EventActions
import Events
import Failures
import Instants
import Notification
import Publishing
import Records
import TestSupport
import Testing

/// The present states at brokers, apart from the history that they receive.
@Suite struct PresentStateTests {
  private let world = World()

  private func broker(_ name: String = "broker") throws -> FakeBroker { try #require(world.factory.brokers[name]) }

  private func event(_ sequence: UInt64, _ state: String) -> Event {
    Event.of([
      "sequence": .count(sequence), "event": .text(state == "inside" ? "enter" : "exit"), "region": .text("hall"), "journal": .text("j"),
      "state": .text(state),
    ])
  }

  private func report(_ sequence: UInt64, _ state: String) {
    world.link.report(event(sequence, state))
    world.link.states = [.success([RegionStateReport(region: "hall", state: state == "inside" ? .inside : .outside, beacon: nil)])]
    world.scheduler.settle()
  }

  private let state = "base/region/hall/state"

  @Test func `events of the past are history, and only the present state follows`() throws {
    var service: NotificationService? = try world.start([World.target("broker")])
    report(1, "inside")
    // The outcome of the delivery is stored.
    world.scheduler.advance(by: .seconds(1))
    withExtendedLifetime(service) {}
    service = nil
    for sequence in UInt64(2)...6 { report(sequence, sequence.isMultiple(of: 2) ? "outside" : "inside") }
    report(7, "inside")
    service = try world.start([World.target("broker")])
    #expect(try broker().payloads(state) == ["inside"])
    #expect(world.factory.attempts("broker") == [1, 2, 3, 4, 5, 6, 7])
    withExtendedLifetime(service) {}
  }

  @Test func `a change that happens now is published at once, while older events still wait`() throws {
    world.factory.answer = { _, _ in .failed("down") }
    let service = try world.start([World.target("broker")])
    report(1, "inside")
    report(2, "outside")
    #expect(try broker().payloads(state).suffix(2) == ["inside", "outside"])
    #expect(world.outbox.sequences("broker") == [1, 2])
    withExtendedLifetime(service) {}
  }

  @Test func `a broker shows states as available only after it has received the present ones`() throws {
    world.link.stop()
    let service = try world.start([World.target("broker")])
    #expect(try !broker().isCurrent && broker().payloads(state).isEmpty)
    world.link.states = [.success([RegionStateReport(region: "hall", state: .inside, beacon: nil)])]
    world.link.start()
    world.scheduler.settle()
    let changes = try broker().changes
    let shown = try #require(changes.firstIndex { $0.topic == state && $0.payload == "inside" })
    let online = try #require(changes.firstIndex { $0.payload == "online" })
    #expect(shown < online)
    withExtendedLifetime(service) {}
  }

  @Test func `a restarted daemon makes states unavailable, and its report makes them available again`() throws {
    world.link.states = [.success([RegionStateReport(region: "hall", state: .inside, beacon: nil)])]
    let service = try world.start([World.target("broker")])
    try broker().forgetChanges()
    world.link.stop()
    world.link.states = [.success([RegionStateReport(region: "hall", state: .outside, beacon: nil)])]
    world.link.start()
    world.scheduler.settle()
    #expect(try broker().payloads("base/status") == ["offline", "online"])
    #expect(try broker().payloads(state) == ["outside"])
    withExtendedLifetime(service) {}
  }

  @Test func `a region that the daemon does not know is unknown until the daemon knows it`() throws {
    world.link.states = [.success([])]
    let service = try world.start([World.target("broker")])
    #expect(try broker().payloads(state) == ["unknown"])
    world.link.states = [.success([RegionStateReport(region: "hall", state: .inside, beacon: nil)])]
    world.scheduler.advance(by: .seconds(5))
    #expect(try broker().payloads(state) == ["unknown", "inside"])
    withExtendedLifetime(service) {}
  }

  @Test func `states are present although the disk refuses every event`() throws {
    let service = try world.start([World.target("broker")])
    world.outbox.isFailing = true
    report(1, "inside")
    world.scheduler.advance(by: .seconds(20))
    #expect(try broker().payloads(state).last == "inside")
    withExtendedLifetime(service) {}
  }

  /// A target with secrets, which a reload reads again.
  private let remote = Target(name: "broker", .mqtt(BrokerSettings(host: "h")))

  @Test func `a reload without a change neither replaces a connection nor announces anything`() throws {
    world.link.states = [.success([RegionStateReport(region: "hall", state: .inside, beacon: nil)])]
    let service = try world.start([remote])
    let before = try broker().announcementCount
    try service.reconfigure(World.settings([remote]))
    world.scheduler.settle()
    #expect(world.factory.made == ["broker"])
    #expect(try broker().announcementCount == before)
    #expect(try broker().isCurrent)
  }

  @Test func `a reload with another secret or other settings replaces a connection, and a refused one does not`() throws {
    let service = try world.start([remote])
    let first = try broker()
    world.factory.secret = "second"
    world.factory.broken = "other"
    #expect(throws: Failure.self) { try service.reconfigure(World.settings([remote, World.target("other")])) }
    #expect(try broker() === first)
    #expect(world.factory.made == ["broker"])
    try service.reconfigure(World.settings([remote]))
    let second = try broker()
    #expect(second !== first)
    try service.reconfigure(World.settings([remote]))
    #expect(try broker() === second)
    // The secret is the same, but the configuration of the target is not.
    try service.reconfigure(World.settings([Target(name: "broker", .mqtt(BrokerSettings(host: "h2")))]))
    #expect(try broker() !== second)
  }

  @Test func `a reload replaces a target without a connection, whose secrets may have changed`() throws {
    let webhook = Target(name: "webhook", .webhook(WebhookSettings(url: .plain("https://example.org"))))
    let service = try world.start([webhook])
    try service.reconfigure(World.settings([webhook]))
    #expect(world.factory.made == ["webhook", "webhook"])
  }

  @Test func `a removed target does not keep its connection for a later one with the same name`() throws {
    let service = try world.start([remote])
    try service.reconfigure(World.settings([]))
    try service.reconfigure(World.settings([remote]))
    #expect(world.factory.made == ["broker", "broker"])
  }

  @Test func `a reload ends the pauses of a broker that failed`() throws {
    world.factory.answer = { _, _ in .failed("down") }
    let service = try world.start([remote])
    report(1, "inside")
    world.factory.answer = { _, _ in .delivered }
    try service.reconfigure(World.settings([remote]))
    world.scheduler.settle()
    #expect(world.factory.attempts("broker") == [1, 1])
    #expect(try broker().reconnects == 1)
  }

  @Test func `the last event of a region is announced after a restart without any new event`() throws {
    var service: NotificationService? = try world.start([World.target("broker")])
    report(1, "inside")
    withExtendedLifetime(service) {}
    service = nil
    service = try world.start([World.target("broker")])
    #expect(try broker().payloads("base/region/hall/event") == [event(1, "inside").json])
    try broker().announce()
    #expect(try broker().announced.contains { $0.topic == "base/region/hall/event" })
    withExtendedLifetime(service) {}
  }

  @Test func `the entities of a removed region are removed first and its topics later, even after a restart`() throws {
    var service: NotificationService? = try world.start([World.target("broker")])
    try broker().announce()
    #expect(announced == ["hall"])
    withExtendedLifetime(service) {}
    service = nil
    let settings = NotificationSettings(
      targets: [World.target("broker")], actions: [EventAction(targets: ["broker"])], regions: ["till"])
    service = try NotificationService(
      world.scheduler, world.outbox, world.factory, world.link, settings, wakesApplications: false, isClockSet: { true },
      log: world.lines.logger)
    try broker().announce()
    let empty = try broker().announced.filter(\.payload.isEmpty)
    #expect(empty.map(\.topic) == ["ha/binary_sensor/beaconmon_d/hall/config", "ha/sensor/beaconmon_d/hall_beacon/config"])
    let announcement = try broker().announcement
    #expect(
      Set(announcement.clearings.map(\.topic)) == ["state", "beacon", "event"].reduce(into: []) { $0.insert("base/region/hall/\($1)") })
    // A connection that is lost before the end begins again.
    #expect(announced == ["hall", "till"])
    announcement.onCleared()
    #expect(announced == ["till"])
    withExtendedLifetime(service) {}
  }

  @Test func `a target that loses a region leaves it to another target at the same broker`() throws {
    func settings(_ regions: [String]) -> NotificationSettings {
      let targets = ["broker", "broker2"].map { Target(name: $0, .mqtt(BrokerSettings(host: "h"))) }
      let actions = [EventAction(regions: Set(regions), targets: ["broker"]), EventAction(targets: ["broker2"])]
      return NotificationSettings(targets: targets, actions: actions, regions: ["hall", "till"])
    }
    let service = try NotificationService(
      world.scheduler, world.outbox, world.factory, world.link, settings(["hall", "till"]), wakesApplications: false,
      isClockSet: { true }, log: world.lines.logger)
    try broker().announce()
    try service.reconfigure(settings(["till"]))
    #expect(try !broker().announced.contains { $0.topic.hasSuffix("/config") && $0.payload.isEmpty })
    #expect(try broker().announcement.clearings.isEmpty && broker().announcement.isRemoving)
    let before = try broker("broker2").announcementCount
    try broker().announcement.onCleared()
    #expect(announced == ["till"])
    #expect(try broker("broker2").announcementCount == before + 1)
  }

  @Test func `the last events are requested again after a failure`() throws {
    world.link.report(event(1, "inside"))
    world.link.journalFailure = MonitorFailure("no reply")
    let service = try world.start([World.target("broker")])
    world.scheduler.advance(by: .seconds(10))
    #expect(try broker().payloads("base/region/hall/event").isEmpty)
    world.link.journalFailure = nil
    world.scheduler.advance(by: .seconds(60))
    #expect(try broker().payloads("base/region/hall/event") == [event(1, "inside").json])
    withExtendedLifetime(service) {}
  }

  /// The announced regions in the outbox.
  private var announced: Set<String> {
    world.outbox.announced["broker", default: []].filter { DiscoveryPlace(storedName: $0) == nil }
  }

  @Test func `another discovery prefix, topic or device removes the entities at the former place`() throws {
    let former = DiscoveryPlace(prefix: "old", base: "former", device: "e")
    world.outbox.announced["broker"] = ["hall", former.storedName]
    let service = try world.start([World.target("broker")])
    try broker().announce()
    let announcement = try broker().announcement
    let removed = try broker().announced.filter(\.payload.isEmpty).map(\.topic)
    #expect(removed == ["old/binary_sensor/beaconmon_e/hall/config", "old/sensor/beaconmon_e/hall_beacon/config"])
    #expect(announcement.clearings.contains { $0.topic == "former/region/hall/state" })
    announcement.onCleared()
    #expect(world.outbox.announced["broker"]?.contains(former.storedName) == false && announced == ["hall"])
    withExtendedLifetime(service) {}
  }

  @Test func `entities that an earlier version announced under other ids are withdrawn once`() throws {
    world.outbox.announced["broker"] = ["hall"]
    world.factory.formerPlace = DiscoveryPlace(prefix: "ha", base: "base", device: "system")
    let service = try world.start([World.target("broker")])
    try broker().announce()
    let removed = try broker().announced.filter(\.payload.isEmpty).map(\.topic)
    #expect(removed == ["ha/binary_sensor/beaconmon_system/hall/config", "ha/sensor/beaconmon_system/hall_beacon/config"])
    try broker().announcement.onCleared()
    try broker().announce()
    #expect(try !broker().announced.contains(where: \.payload.isEmpty))
    withExtendedLifetime(service) {}
  }
}

import DeliveryScheduling
import EventActions
import Events
import Failures
import Instants
import Records
import TestSupport

@testable import Notification

/// The surroundings of a notifier, which survive it: its outbox, the daemon and the targets.
final class World {
  let scheduler: ManualScheduler
  let outbox: FakeOutbox
  let link: FakeLink
  let factory: FakeFactory
  let observations = FakeObservations()
  let lines = LogLines()

  init(_ scheduler: ManualScheduler = ManualScheduler()) {
    self.scheduler = scheduler
    outbox = FakeOutbox(scheduler)
    link = FakeLink(scheduler)
    factory = FakeFactory(scheduler)
  }

  /// Starts a notifier that sends every event to each of the targets.
  func start(_ targets: [Target] = [World.target("a")], wakesApplications: Bool = false) throws(Failure) -> NotificationService {
    outbox.reopen()
    let service = try NotificationService(
      scheduler, outbox, factory, link, Self.settings(targets), wakesApplications: wakesApplications, isClockSet: { true },
      log: lines.logger)
    service.start()
    scheduler.settle()
    return service
  }

  /// Starts a notifier with an outbox in memory, because the file cannot be opened.
  func start(
    inMemory memory: FakeOutbox, _ file: FakeOutboxFile, _ targets: [Target] = [World.target("a")], wakesApplications: Bool = false
  ) throws(Failure) -> NotificationService {
    let service = try NotificationService(
      scheduler, memory, orFrom: file, factory, link, Self.settings(targets), wakesApplications: wakesApplications, isClockSet: { true },
      log: lines.logger)
    service.start()
    scheduler.settle()
    return service
  }

  static func settings(_ targets: [Target]) -> NotificationSettings {
    let action = EventAction(targets: targets.map(\.name))
    return NotificationSettings(targets: targets, actions: targets.isEmpty ? [] : [action], regions: ["hall"])
  }

  static func target(_ name: String, _ policy: DeliveryPolicy = DeliveryPolicy()) -> Target { Target(name: name, .log(.empty), policy) }

  static func event(_ sequence: UInt64, journal: String = "j", region: String = "hall", time: Instant? = nil) -> Event {
    Event.of([
      "sequence": .count(sequence), "event": .text("enter"), "region": .text(region), "journal": .text(journal), "state": .text("inside"),
      "time": time.map { .time($0) },
    ])
  }

  static func event(_ sequence: UInt64, ofApp app: String) -> Event {
    Event.of([
      "sequence": .count(sequence), "event": .text("enter"), "region": .text("hall"), "journal": .text("u"), "appId": .text(app),
    ])
  }
}

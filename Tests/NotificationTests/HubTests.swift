import Beacons
import EventActions
import Events
import FleetMessages
import FleetReporting
import Instants
import TestSupport
import Testing

@testable import Notification

@Suite struct HubTests {
  private final class FakeDevice: FleetDevice {
    let notifier = NotifierState(version: "1")
    func requestState(_ completion: @escaping (DaemonState) -> Void) {}
  }

  private static let uuid = BeaconUUID(high: 1, low: 2)

  /// Starts a notifier with a hub, and with an action for another target.
  private func start(_ world: World) throws -> NotificationService {
    let address = try #require(FleetAddress(site: "berlin", device: "door"))
    let hub = HubSettings(host: "hub", address: address, certificate: "/c", key: .file("/k"), interval: .seconds(5), beacons: [Self.uuid])
    let action = EventAction(triggers: [.exit], targets: ["a"])
    let settings = NotificationSettings(targets: [World.target("a"), Target(hub: hub)], actions: [action], regions: ["hall"])
    let service = try NotificationService(
      world.scheduler, world.outbox, world.factory, world.link, settings, observing: world.observations,
      fleet: FleetPorts(FakeDevice()) { nil }, wakesApplications: false, isClockSet: { true }, log: world.lines.logger)
    service.start()
    world.scheduler.settle()
    return service
  }

  @Test func `the hub receives every event, whatever the actions are`() throws {
    let world = World()
    let service = try start(world)
    world.link.report(World.event(1))
    world.link.report(World.event(2))
    world.scheduler.settle()
    #expect(world.factory.attempts("hub") == [1, 2])
    #expect(world.factory.attempts("a") == [])
    withExtendedLifetime(service) {}
  }

  @Test func `the hub receives the beacons of a passive session, which ends with its table in the config`() throws {
    let world = World()
    let service = try start(world)
    #expect(world.observations.demands == [ObservationDemand([BeaconConstraint(uuid: Self.uuid)], isPassive: true)])
    world.factory.hub?.connect()
    world.scheduler.advance(by: .seconds(1))
    var report = BeaconReport()
    (report.uuid, report.major, report.minor, report.rssi, report.lastSeen) = (Self.uuid, 1, 7, -60, world.scheduler.now)
    world.observations.send(.beacons([report], at: world.scheduler.now))
    world.scheduler.advance(by: .seconds(6))
    #expect(world.factory.hub?.messages.map(\.stream) == [.digests])
    try service.reconfigure(World.settings([World.target("a")]))
    world.scheduler.settle()
    #expect(!world.observations.isObserving)
  }
}

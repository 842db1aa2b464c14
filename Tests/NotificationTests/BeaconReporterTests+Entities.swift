import Beacons
import EventActions
import Instants
import Publishing
import Records
import TestSupport
import Testing

@testable import Notification

/// Entities of Home Assistant.
extension BeaconReporterTests {
  @Test func `the names of announced entities stay as they are while the outbox cannot be read`() throws {
    let service = try start(settings(BeaconPublishing(.regions)))
    try broker().announce()
    let names = try #require(world.outbox.announced["broker"])
    world.outbox.announced["broker"] = names.union(["gone"])
    world.outbox.cannotRead = true
    try broker().announce()
    hear([report()])
    world.outbox.cannotRead = false
    #expect(world.outbox.announced["broker"] == names.union(["gone"]))
    withExtendedLifetime(service) {}
  }

  @Test func `a beacon is announced when it is first heard, and with every connection from then on`() throws {
    let service = try start(settings(BeaconPublishing(.regions)))
    try broker().forgetChanges()
    hear([report(), report(6, major: 2)])
    let configs = try broker().changes.filter { $0.topic.hasSuffix("/config") }
    #expect(
      configs.map(\.topic) == [
        "ha/sensor/beaconmon_d_\(id)/distance/config", "ha/sensor/beaconmon_d_\(id)/rssi/config",
        "ha/device_tracker/beaconmon_d_\(id)/tracker/config",
      ])
    try broker().announce()
    #expect(try Set(broker().announced).isSuperset(of: configs))
    withExtendedLifetime(service) {}
  }

  @Test func `beacons of an earlier run are announced again, and removed if the configuration has none any more`() throws {
    var service: NotificationService? = try start(settings(BeaconPublishing(.regions)))
    hear([report()])
    withExtendedLifetime(service) {}
    service = nil
    service = try start(settings(BeaconPublishing(.regions)))
    try broker().announce()
    #expect(try broker().announced.contains { $0.topic.contains(id) && $0.topic.hasSuffix("/config") && !$0.payload.isEmpty })
    withExtendedLifetime(service) {}
    service = nil
    service = try start(settings(nil))
    try broker().announce()
    let removed = try broker().announced.filter { $0.topic.contains(id) }
    #expect(removed.count == 4 && removed.allSatisfy(\.payload.isEmpty))
    #expect(try broker().announcement.clearings.map(\.topic) == [topics.presence(of: identity(5))])
    withExtendedLifetime(service) {}
  }

  @Test func `listed beacons are announced with their names before they are heard, and others never`() throws {
    let keys = BeaconPublishing.ListedBeacon(identity(5), name: "Keys")
    let service = try start(settings(BeaconPublishing(.listed([keys]), entities: [.tracker])))
    try broker().announce()
    let configs = try broker().announced.filter { $0.topic.contains("_\(id)/") }
    #expect(configs.map(\.payload.isEmpty) == [true, true, true, false])
    #expect(configs.last?.payload.contains(#""name":"Keys""#) == true)
    try broker().forgetChanges()
    hear([report(), report(6)])
    #expect(try broker().changes.map(\.topic) == [topics.presence(of: identity(5))])
    withExtendedLifetime(service) {}
  }

  @Test func `a crowd of beacons does not grow beyond the limit, and a beacon of yesterday makes room`() throws {
    let service = try start(settings(BeaconPublishing(.regions)))
    hear((0..<100).map { report($0) })
    func announced() throws -> Set<String> { Set(try broker().payloads("") + world.outbox.announced["broker", default: []]) }
    #expect(try announced().count { $0.contains("beacon ") } == BeaconPublisher.capacity)
    #expect(world.lines.all.count { $0.contains("64 beacons are published") } == 1)
    world.scheduler.advance(by: .seconds(90_000))
    try broker().forgetChanges()
    hear([report(99)])
    let configs = try broker().announced.filter { $0.topic.contains("/distance/") }
    #expect(configs.count { $0.payload.isEmpty } == 1 && configs.contains { $0.topic.contains("-1-99/") && !$0.payload.isEmpty })
    withExtendedLifetime(service) {}
  }
}

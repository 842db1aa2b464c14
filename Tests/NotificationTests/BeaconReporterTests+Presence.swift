import Beacons
import EventActions
import Instants
import Publishing
import Records
import TestSupport
import Testing

@testable import Notification

/// Beacons that are home or away.
extension BeaconReporterTests {
  func presence() throws -> [String] { try broker().payloads(topics.presence(of: identity(5))) }

  @Test func `a beacon is home while it is heard, and away after its silence`() throws {
    let service = try start(settings(BeaconPublishing(.regions, awayAfter: .seconds(60))))
    world.observations.send(.listening(true))
    hear([report()], seconds: 3)
    hear([], seconds: 55)
    #expect(try presence().last == "home")
    hear([], seconds: 10)
    #expect(try presence().last == "not_home")
    hear([report()])
    #expect(try presence().last == "home")
    withExtendedLifetime(service) {}
  }

  @Test func `a beacon is not away while the daemon does not listen, but unknown`() throws {
    let service = try start(settings(BeaconPublishing(.regions, awayAfter: .seconds(60))))
    world.observations.send(.listening(true))
    hear([report()])
    world.observations.send(.listening(false))
    world.scheduler.advance(by: .seconds(20))
    #expect(try presence().last == "home")
    world.scheduler.advance(by: .seconds(600))
    #expect(try presence().last == "unknown")
    world.observations.send(.listening(true))
    world.scheduler.advance(by: .seconds(59))
    #expect(try presence().last == "unknown")
    world.scheduler.advance(by: .seconds(2))
    #expect(try presence().last == "not_home")
    withExtendedLifetime(service) {}
  }

  @Test func `a restarted notifier begins with an unknown presence`() throws {
    var service: NotificationService? = try start(settings(BeaconPublishing(.regions)))
    try broker().announce()
    world.observations.send(.listening(true))
    hear([report()])
    withExtendedLifetime(service) {}
    service = nil
    service = try start(settings(BeaconPublishing(.regions)))
    try broker().announce()
    #expect(try Set(presence()) == ["unknown"])
    withExtendedLifetime(service) {}
  }

  @Test func `a reload with other regions keeps the presence of the beacons that still match`() throws {
    let service = try start(settings(BeaconPublishing(.regions)))
    world.observations.send(.listening(true))
    hear([report()])
    try broker().forgetChanges()
    var wider = settings(BeaconPublishing(.regions))
    wider.constraints["hall"] = BeaconConstraint(uuid: uuid)
    try service.reconfigure(wider)
    world.scheduler.settle()
    #expect(try Set(presence()) == ["home"])
  }

  @Test func `a beacon whose UUID does not fit into a session is unknown, which costs a line in the log`() throws {
    let beacons = (0..<17).map { BeaconPublishing.ListedBeacon(BeaconIdentity(uuid: BeaconUUID(high: 0, low: $0), major: 1, minor: 1)) }
    let service = try start(settings(BeaconPublishing(.listed(beacons))))
    world.observations.send(.listening(true))
    hear([], seconds: 600)
    #expect(try broker().payloads(topics.presence(of: beacons[15].identity)).last == "not_home")
    #expect(try !broker().payloads(topics.presence(of: beacons[16].identity)).contains("not_home"))
    #expect(world.lines.all.count { $0.contains("more than 16 UUIDs") } == 1)
    withExtendedLifetime(service) {}
  }
}

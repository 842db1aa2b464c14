import Beacons
import EventActions
import Instants
import Publishing
import Records
import TestSupport
import Testing

@testable import Notification

/// The readings and the presence of beacons, and the location of the device, at brokers.
@Suite struct BeaconReporterTests {
  let world = World()
  let uuid = BeaconUUID(high: 0x8ec7_6ea3_6668_48da, low: 0x9866_75be_8bc8_6f4d)
  let id = "8ec76ea3-6668-48da-9866-75be8bc86f4d-1-5"

  var topics: TopicTree { TopicTree(base: "base") }
  func broker() throws -> FakeBroker { try #require(world.factory.brokers["broker"]) }

  func settings(_ beacons: BeaconPublishing?, location: Bool = false) -> NotificationSettings {
    let target = Target(name: "broker", .mqtt(BrokerSettings(host: "h", beacons: beacons, publishesLocation: location)))
    return NotificationSettings(
      targets: [target], actions: [EventAction(targets: ["broker"])], regions: ["hall"],
      constraints: ["hall": BeaconConstraint(uuid: uuid, major: 1)])
  }

  func start(_ settings: NotificationSettings) throws -> NotificationService {
    world.outbox.reopen()
    let service = try NotificationService(
      world.scheduler, world.outbox, world.factory, world.link, settings, observing: world.observations, wakesApplications: false,
      isClockSet: { true }, log: world.lines.logger)
    service.start()
    world.scheduler.settle()
    return service
  }

  func report(_ minor: UInt16 = 5, distance: Double? = 1, rssi: Double = -60, major: UInt16 = 1) -> BeaconReport {
    var report = BeaconReport()
    (report.uuid, report.major, report.minor, report.distance, report.rssi) = (uuid, major, minor, distance, rssi)
    return report
  }

  /// Lets the daemon report the same beacons once a second.
  func hear(_ reports: [BeaconReport], seconds: Int = 1) {
    for _ in 0..<seconds {
      world.observations.send(.beacons(reports, at: world.scheduler.now))
      world.scheduler.advance(by: .seconds(1))
    }
  }

  func identity(_ minor: UInt16) -> BeaconIdentity { BeaconIdentity(uuid: uuid, major: 1, minor: minor) }

  // MARK: Demand

  @Test func `a notifier whose targets publish no beacons has no session`() throws {
    let service = try start(settings(nil))
    #expect(world.observations.demands.isEmpty)
    withExtendedLifetime(service) {}
  }

  @Test func `the beacons of the regions are ranged, and a reload without them ends the session`() throws {
    let service = try start(settings(BeaconPublishing(.regions)))
    #expect(world.observations.demands == [ObservationDemand([BeaconConstraint(uuid: uuid, major: 1)])])
    try service.reconfigure(settings(BeaconPublishing(.regions)))
    #expect(world.observations.demands.count == 1 && world.observations.isObserving)
    try service.reconfigure(settings(nil))
    #expect(!world.observations.isObserving)
  }

  @Test func `more constraints than a session takes become wider ones`() {
    let beacons = (0..<40).map { BeaconConstraint(uuid: uuid, major: $0 % 2, minor: $0) }
    let majors = Set([BeaconConstraint(uuid: uuid, major: 0), BeaconConstraint(uuid: uuid, major: 1)])
    #expect(BeaconReporter.reduced(Set(beacons)) == majors)
    #expect(BeaconReporter.reduced(Set(beacons.prefix(3))) == Set(beacons.prefix(3)))
    let full = Set((0..<16).map { BeaconConstraint(uuid: uuid, major: $0) })
    #expect(BeaconReporter.reduced(full) == full)
    #expect(BeaconReporter.reduced(Set((0..<17).map { BeaconConstraint(uuid: uuid, major: $0) })) == [BeaconConstraint(uuid: uuid)])
    #expect(BeaconReporter.reduced(Set(beacons.prefix(3)).union([BeaconConstraint(uuid: uuid)])) == [BeaconConstraint(uuid: uuid)])
    let many = Set((0..<30).map { BeaconConstraint(uuid: BeaconUUID(high: 0, low: $0)) })
    #expect(BeaconReporter.reduced(many).count == 16)
  }

  // MARK: Readings

  @Test func `a changing distance is sent at most every four seconds, and an unchanged one every twenty`() throws {
    let service = try start(settings(BeaconPublishing(.regions)))
    for second in 0..<12 { hear([report(distance: Double(second + 1))]) }
    #expect(try broker().payloads(topics.reading(of: identity(5))).count == 3)
    try broker().forgetChanges()
    hear([report(distance: 12)], seconds: 60)
    #expect(try (3...4).contains(broker().payloads(topics.reading(of: identity(5))).count))
    withExtendedLifetime(service) {}
  }

  @Test func `a reading has the values of the daemon, and is not retained`() throws {
    let service = try start(settings(BeaconPublishing(.regions)))
    hear([report(distance: 1.234, rssi: -60.25)])
    let reading = try #require(try broker().changes.first { $0.topic == topics.reading(of: identity(5)) })
    #expect(!reading.isRetained)
    let record = try Record(json: reading.payload)
    #expect(record["distance"]?.number == 1.23 && record["rssi"]?.number == -60.3)
    withExtendedLifetime(service) {}
  }

  @Test func `a distance that becomes unknown is sent without the value`() throws {
    let service = try start(settings(BeaconPublishing(.regions)))
    hear([report()], seconds: 5)
    hear([report(distance: nil)], seconds: 4)
    let last = try #require(try broker().payloads(topics.reading(of: identity(5))).last)
    #expect(try Record(json: last)["distance"] == nil)
    withExtendedLifetime(service) {}
  }

  @Test func `a congested broker receives the next reading instead of a queue of old ones`() throws {
    let service = try start(settings(BeaconPublishing(.regions)))
    try broker().isCongested = true
    hear([report(distance: 1)], seconds: 30)
    try broker().isCongested = false
    hear([report(distance: 7)])
    let payloads = try broker().payloads(topics.reading(of: identity(5)))
    #expect(try payloads.map { try Record(json: $0)["distance"]?.number } == [7])
    withExtendedLifetime(service) {}
  }

  @Test func `a room receives the id and the distance of each beacon`() throws {
    let service = try start(settings(BeaconPublishing(.regions, room: "kitchen")))
    hear([report(distance: 2)], seconds: 9)
    hear([report(distance: nil)], seconds: 9)
    let messages = try broker().changes.filter { $0.topic == "room_presence/kitchen" }
    #expect(messages.map(\.payload) == Array(repeating: #"{"id":"\#(id)","distance":2.00,"rssi":-60.0}"#, count: 3))
    #expect(messages.allSatisfy { !$0.isRetained })
    withExtendedLifetime(service) {}
  }

  // MARK: Location

  @Test func `the location is sent at most every ten seconds, and empty while it is unknown`() throws {
    let service = try start(settings(nil, location: true))
    #expect(world.observations.demands == [ObservationDemand(needsLocation: true)])
    for second in 0..<11 {
      world.observations.send(.location(DeviceLocation(latitude: 50 + Double(second), longitude: 8, accuracy: 4.2)))
      world.scheduler.advance(by: .seconds(1))
    }
    #expect(
      try broker().payloads("base/location").suffix(2) == [
        #"{"latitude":50.0000000,"longitude":8.0000000,"gps_accuracy":5}"#,
        #"{"latitude":59.0000000,"longitude":8.0000000,"gps_accuracy":5}"#,
      ])
    world.observations.send(.location(nil))
    world.scheduler.advance(by: .seconds(10))
    #expect(try broker().payloads("base/location").last == "{}")
    withExtendedLifetime(service) {}
  }

  @Test func `a location that a new session does not report becomes unknown after ten seconds`() throws {
    let service = try start(settings(nil, location: true))
    world.observations.send(.location(DeviceLocation(latitude: 50, longitude: 8)))
    world.scheduler.advance(by: .seconds(60))
    var other = settings(nil, location: true)
    other.targets.append(Target(name: "broker2", .mqtt(BrokerSettings(host: "i", beacons: BeaconPublishing(.regions)))))
    other.actions = [EventAction(targets: ["broker", "broker2"])]
    try service.reconfigure(other)
    #expect(world.observations.demands.count == 2)
    world.scheduler.advance(by: .seconds(9))
    #expect(try broker().payloads("base/location").last?.contains("50.0") == true)
    world.scheduler.advance(by: .seconds(1))
    #expect(try broker().payloads("base/location").last == "{}")
  }
}

import BrokerDefinitions
import FleetMessages
import Partitions
import Testing

/// The calls of `rabbitmqctl` that bring a broker in line.
@Suite struct BrokerChangesTests {
  private let map: QueueMap
  private let (door, hall): (DeviceLogin, DeviceLogin)
  /// The definitions of the door alone.
  private let json: String

  init() throws {
    map = try #require(QueueMap(queues: 8))
    door = DeviceLogin(try #require(FleetAddress(site: "berlin", device: "door")), enrolment: 7)
    hall = DeviceLogin(try #require(FleetAddress(site: "berlin", device: "hall")), enrolment: 7)
    json = BrokerDefinitions(map: map, devices: [door], majorVersion: nil).json
  }

  private func imports(_ json: String, for devices: [DeviceLogin]? = nil, majorVersion: Int? = nil) throws -> [String] {
    try BrokerUsers(definitions: json).changes(for: devices ?? [door], map).imports(map, majorVersion: majorVersion)
  }

  @Test func `a new device is imported without those that the broker has, its rights last`() throws {
    let steps = try imports(json, for: [door, hall])
    #expect(steps == BrokerDefinitions(map: map, devices: [hall], majorVersion: nil).steps && steps.count == 2)
    #expect(!steps[0].contains("\"permissions\"") && steps[1].contains("\"permissions\"") && !steps[1].contains("berlin.door"))
  }

  @Test func `a removed device needs no import`() throws {
    let changes = try BrokerUsers(definitions: json).changes(for: [], map)
    #expect(changes.deleted == ["berlin.door.7"] && changes.imports(map, majorVersion: nil) == [])
  }

  @Test(arguments: [
    (#""name":"fleet.7""#, #""name":"fleet.9""#), (#""destination":"fleet.7""#, #""destination":"fleet.9""#),
    (#""routing_key":"fleet.v1.63.*.*""#, #""routing_key":"fleet.v1.64.*.*""#), (#""source":"amq.topic""#, #""source":"amq.direct""#),
    (#""configure":"^fleet\\.[0-9]+$""#, #""configure":"^$""#), (#""user":"hub""#, #""user":"none""#),
    (#""name":"hub""#, #""name":"none""#),
    (#""name":"hub","password_hash":"""#, #""name":"hub","password_hash":"x""#),
  ])
  func `a broker that lacks a queue, a binding or the user of the workers gets it`(text: String, other: String) throws {
    let parts = json.split(separator: text, omittingEmptySubsequences: false)
    try #require(parts.count > 1)
    #expect(try imports(parts.joined(separator: other)) == BrokerDefinitions(map: map, devices: [], majorVersion: nil).steps)
  }

  @Test func `a user with a password is deleted, and imported again without it`() throws {
    let parts = json.split(separator: #""name":"berlin.door.7","password_hash":""#, omittingEmptySubsequences: false)
    try #require(parts.count == 2)
    let changes = try BrokerUsers(definitions: parts.joined(separator: #""name":"berlin.door.7","password_hash":"x"#)).changes(
      for: [door], map)
    #expect(changes.deleted == ["berlin.door.7"])
    #expect(changes.imports(map, majorVersion: nil) == BrokerDefinitions(map: map, devices: [door], majorVersion: nil).steps)
  }

  @Test func `a broker gets the limit of deliveries of its version`() throws {
    #expect(try imports(#"{"users":[]}"#, majorVersion: 4)[0].contains("x-delivery-limit"))
    #expect(try !imports(#"{"users":[]}"#, majorVersion: 3)[0].contains("x-delivery-limit"))
  }

  @Test func `users are deleted in one expression`() {
    #expect(UserDeletion(of: []) == nil)
    #expect(
      UserDeletion(of: ["berlin.door.7", "hub"])?.expression
        == #"[ok = rabbit_auth_backend_internal:delete_user(User, <<"beaconmon-hub">>) || User <- [<<"berlin.door.7">>, <<"hub">>]]."#
        + "\n")
  }
}

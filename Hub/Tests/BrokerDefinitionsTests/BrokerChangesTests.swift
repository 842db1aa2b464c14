import BrokerDefinitions
import FleetMessages
import Partitions
import Testing

/// The calls of `rabbitmqctl` that bring a broker in line.
@Suite struct BrokerChangesTests {
  private let map: QueueMap
  private let password: HubPassword
  private let hubHash: String
  private let (door, hall): (DeviceLogin, DeviceLogin)
  /// The definitions of the door alone.
  private let json: String

  init() throws {
    map = try #require(QueueMap(queues: 8))
    password = try HubPassword("correct horse battery staple")
    hubHash = password.hash(salt: 7)
    door = DeviceLogin(try #require(FleetAddress(site: "berlin", device: "door")), enrolment: 7)
    hall = DeviceLogin(try #require(FleetAddress(site: "berlin", device: "hall")), enrolment: 7)
    json = BrokerDefinitions(map: map, devices: [door], hubHash: hubHash, majorVersion: nil).json
  }

  private func imports(_ json: String, for devices: [DeviceLogin]? = nil, majorVersion: Int? = nil) throws -> [String] {
    try BrokerUsers(definitions: json).changes(for: devices ?? [door], map, password).imports(map, majorVersion: majorVersion)
  }

  @Test func `a new device is imported without those that the broker has, its rights last`() throws {
    let steps = try imports(json, for: [door, hall])
    #expect(steps == BrokerDefinitions(map: map, devices: [hall], hubHash: hubHash, majorVersion: nil).steps && steps.count == 2)
    #expect(!steps[0].contains("\"permissions\"") && steps[1].contains("\"permissions\"") && !steps[1].contains("berlin.door"))
  }

  @Test func `a removed device needs no import`() throws {
    let changes = try BrokerUsers(definitions: json).changes(for: [], map, password)
    #expect(changes.deleted == ["berlin.door.7"] && changes.imports(map, majorVersion: nil) == [])
  }

  @Test(arguments: [
    (#""name":"fleet.7""#, #""name":"fleet.9""#), (#""destination":"fleet.7""#, #""destination":"fleet.9""#),
    (#""routing_key":"fleet.v1.63.*.*""#, #""routing_key":"fleet.v1.64.*.*""#), (#""source":"amq.topic""#, #""source":"amq.direct""#),
    (#""configure":"^fleet\\.[0-9]+$""#, #""configure":"^$""#), (#""user":"hub""#, #""user":"none""#),
    (#""name":"hub""#, #""name":"none""#),
  ])
  func `a broker that lacks a queue, a binding or the user of the workers gets it`(text: String, other: String) throws {
    let parts = json.split(separator: text, omittingEmptySubsequences: false)
    try #require(parts.count > 1)
    let steps = try imports(parts.joined(separator: other))
    #expect(try steps.map(withoutHubHash) == BrokerDefinitions(map: map, devices: [], hubHash: "", majorVersion: nil).steps)
  }

  /// Returns a document without the hash of the hub's password, which is that of the password.
  private func withoutHubHash(_ document: String) throws -> String {
    let start = #"{"name":"hub","password_hash":""#
    let parts = document.split(separator: start, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return document }
    let hash = parts[1].prefix { $0 != "\"" }
    #expect(password.fits(String(hash)))
    return parts[0] + start + parts[1].dropFirst(hash.count)
  }

  @Test(arguments: [("", []), ("x", ["hub"]), ("kI3GCqW5JLMJa4iX1lo7X4D6XbYqlLgxIs30+P6tENUV2POR", ["hub"])])
  func `the user of the workers gets its password, and loses connections with another one`(stored: String, deleted: [String]) throws {
    let other = json.split(separator: hubHash).joined(separator: stored)
    let changes = try BrokerUsers(definitions: other).changes(for: [door], map, password)
    #expect(changes.deleted == deleted && changes.strangers + changes.surplus == [])
    let steps = changes.imports(map, majorVersion: nil)
    #expect(try steps.map(withoutHubHash) == BrokerDefinitions(map: map, devices: [], hubHash: "", majorVersion: nil).steps)
    #expect(!steps[0].contains(password.secret))
  }

  @Test func `a user with a password is deleted, and imported again without it`() throws {
    let parts = json.split(separator: #""name":"berlin.door.7","password_hash":""#, omittingEmptySubsequences: false)
    try #require(parts.count == 2)
    let changes = try BrokerUsers(definitions: parts.joined(separator: #""name":"berlin.door.7","password_hash":"x"#)).changes(
      for: [door], map, password)
    #expect(changes.deleted == ["berlin.door.7"])
    #expect(
      changes.imports(map, majorVersion: nil) == BrokerDefinitions(map: map, devices: [door], hubHash: hubHash, majorVersion: nil).steps)
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

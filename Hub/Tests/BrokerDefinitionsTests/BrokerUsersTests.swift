import BrokerDefinitions
import FleetMessages
import Partitions
import Testing

@Suite struct BrokerUsersTests {
  private let door: DeviceLogin
  private let hall: DeviceLogin
  private let map: QueueMap
  private let password: HubPassword
  /// The definitions of both devices.
  private let json: String

  init() throws {
    door = DeviceLogin(try #require(FleetAddress(site: "berlin", device: "door")), enrolment: 7)
    hall = DeviceLogin(try #require(FleetAddress(site: "berlin", device: "hall")), enrolment: nil)
    map = try #require(QueueMap(queues: 8))
    password = try HubPassword("correct horse battery staple")
    json = BrokerDefinitions(map: map, devices: [door, hall], hubHash: password.hash(), majorVersion: nil).json
  }

  private func changes(_ json: String, for devices: [DeviceLogin]? = nil) throws -> BrokerChanges {
    try BrokerUsers(definitions: json).changes(for: devices ?? [door, hall], map, password)
  }

  /// Returns the definitions with another text in place of one that they contain.
  private func replacing(_ text: String, _ other: String) throws -> String {
    let parts = json.split(separator: text, omittingEmptySubsequences: false)
    try #require(parts.count > 1)
    return parts.joined(separator: other)
  }

  @Test("a broker with the definitions of the fleet needs no change")
  func equal() throws {
    let found = try changes(json)
    #expect(found.missing + found.outdated == [] && found.deleted + found.strangers == [] && !found.lacksHub)
    #expect(found.imports(map, majorVersion: 3) == [])
  }

  @Test(
    "the definitions of a broker have its version",
    arguments: [("3.10.8", 3), ("4.0.5-rc.1", 4), ("10", 10), ("x", nil)] as [(String, Int?)])
  func version(text: String, major: Int?) throws {
    #expect(try BrokerUsers(definitions: #"{"rabbit_version":"\#(text)","users":[]}"#).majorVersion == major)
    #expect(try BrokerUsers(definitions: #"{"users":[]}"#).majorVersion == nil)
  }

  @Test("a broker without users lacks all of them")
  func empty() throws {
    #expect(try changes(#"{"users":[]}"#).missing == [door, hall])
  }

  @Test("a user of another device is removed")
  func surplus() throws {
    #expect(try changes(json, for: [door]).surplus == ["berlin.hall"])
  }

  @Test("the user of an earlier enrolment is removed", arguments: [nil, 8] as [Int64?])
  func earlierEnrolment(_ enrolment: Int64?) throws {
    let next = DeviceLogin(door.device, enrolment: enrolment)
    let found = try changes(json, for: [next, hall])
    #expect(found.surplus == ["berlin.door.7"] && found.missing == [next] && found.outdated == [])
  }

  @Test("a device without a topic permission gets it, and its connections end")
  func topic() throws {
    let found = try changes(try replacing(#""user":"berlin.hall","vhost":"/","exchange""#, #""user":"none","vhost":"/","exchange""#))
    #expect(found.outdated == [hall] && found.exposed == ["berlin.hall"])
  }

  @Test("a device without any permission gets it, and keeps its connections")
  func permission() throws {
    let found = try changes(try replacing(#""user":"berlin.hall","vhost":"/""#, #""user":"none","vhost":"/""#))
    #expect(found.outdated == [hall] && found.exposed == [])
  }

  @Test(
    "a device without the limit of connections gets it, and keeps its connections",
    arguments: ["{}", #"{"max-connections":-1}"#, #"{"max-connections":1}"#])
  func connections(_ limits: String) throws {
    let limited = #""tags":"","limits":{"max-connections":16}"#
    let found = try changes(try replacing(limited, #""tags":"","limits":\#(limits)"#))
    #expect(found.outdated == [door, hall] && found.exposed == [])
    #expect(found.imports(map, majorVersion: 3).first?.contains(#""name":"berlin.hall","password_hash":"","#) ?? false)
    #expect(try changes(try replacing(#","limits":{"max-connections":16}"#, "")).outdated == [])
  }

  @Test("a device with the rights of an earlier version gets those of this one, and keeps its connections")
  func earlier() throws {
    let found = try changes(try replacing(#"berlin\\.hall\\.hub$"#, "$"))
    #expect(found.outdated == [hall] && found.exposed == [])
  }

  @Test("a device that may publish on more topics gets its own alone, and its connections end")
  func wide() throws {
    let found = try changes(try replacing(#"berlin\\.hall$"#, ".*"))
    #expect(found.outdated == [hall] && found.exposed == ["berlin.hall"])
  }

  @Test("a device with a password loses it and its connections", arguments: ["c2VjcmV0", nil])
  func password(_ hash: String?) throws {
    let user = #"{"name":"berlin.hall","password_hash":""#
    let found = try changes(try replacing(user, user + (hash ?? password.hash())))
    #expect(found.exposed == ["berlin.hall"] && found.outdated == [hall] && !found.lacksHub)
  }

  @Test("a user of no device is reported if it has a password and a permission", arguments: [("c2VjcmV0", ["guest"]), ("", [])])
  func stranger(_ hash: String, _ reported: [String]) throws {
    let guest = #"{"users":[{"name":"guest","password_hash":"\#(hash)","tags":["administrator"]},{"name":"viewer","password_hash":"x"}],"#
    let permission = #""permissions":[{"user":"guest","vhost":"/","configure":".*","write":".*","read":".*"}]}"#
    #expect(try changes(guest + permission, for: []).strangers == reported)
  }

  @Test("each change is a line")
  func lines() throws {
    let stranger =
      #"{"users":[{"name":"guest","password_hash":"x"},{"name":"paris.door","password_hash":""},{"name":"hub","password_hash":"x"}],"#
    let permission = #""permissions":[{"user":"guest","vhost":"/","configure":".*","write":".*","read":".*"}]}"#
    #expect(
      try changes(stranger + permission).lines(command: "sudo rabbitmqctl") == [
        "added user berlin.door.7", "added user berlin.hall", "removed user paris.door",
        "warning: user hub had another password than that of the settings; its connections were ended",
        "warning: the user \"guest\" can publish as every device with its password; delete it with \"sudo rabbitmqctl delete_user guest\"",
      ])
    let earlier = try changes(try replacing(#"berlin\\.hall\\.hub$"#, "$"))
    #expect(earlier.lines(command: "rabbitmqctl") == ["changed the rights of 1 user to those of this version"])
    #expect(try changes(json).lines(command: "rabbitmqctl") == [])
  }

  @Test("other text is an error", arguments: ["", "{", "[]", "{}", #"{"users":1}"#, #"{"users":["a"]}"#])
  func faulty(_ text: String) {
    #expect(throws: (any Error).self) { try BrokerUsers(definitions: text) }
  }
}

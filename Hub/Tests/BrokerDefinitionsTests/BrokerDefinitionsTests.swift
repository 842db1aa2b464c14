import BrokerDefinitions
import FleetMessages
import Partitions
import Testing

@Suite struct BrokerDefinitionsTests {
  @Test("a device may publish on its own topic alone, and the user of the workers alone has a password")
  func device() throws {
    let address = try #require(FleetAddress(site: "berlin", device: "door"))
    let json = BrokerDefinitions(
      map: try #require(QueueMap(queues: 8)), devices: [DeviceLogin(address, enrolment: nil)], hubHash: "AAAA", majorVersion: nil
    )
    .json
    let key = #"fleet\\.v1\\.\#(address.partition)\\.berlin\\.door"#
    #expect(json.contains(#""exchange":"amq.topic","write":"^\#(key)$","read":"^\#(key)\\.hub$""#))
    #expect(json.contains(#"{"name":"berlin.door","password_hash":"","#) && json.contains(#"{"name":"hub","password_hash":"AAAA","#))
    #expect(!json.contains(#""password":"#))
    // The workers have no limit.
    #expect(json.split(separator: #""limits":{"max-connections":16}"#, omittingEmptySubsequences: false).count == 2)
    let queue = #"mqtt-subscription-berlin\\.door\\.[0-9a-f]{16}qos[01]"#
    #expect(json.contains(#""configure":"^\#(queue)$","write":"^(amq\\.topic|\#(queue))$","read":"^(amq\\.topic|\#(queue))$""#))
    #expect(json.contains(#""write":"^(fleet\\.[0-9]+|amq\\.topic)$""#))
  }

  @Test("queues have no limit of deliveries, and a version before 4 gets no argument for that")
  func deliveries() throws {
    let map = try #require(QueueMap(queues: 8))
    func hasArgument(_ version: Int?) -> Bool {
      BrokerDefinitions(map: map, devices: [], hubHash: "AAAA", majorVersion: version).json.contains(
        #""x-single-active-consumer":true,"x-delivery-limit":-1}"#)
    }
    #expect(hasArgument(4) && hasArgument(5) && !hasArgument(3) && !hasArgument(nil))
  }

  @Test("an import that ends between its two documents leaves users without a permission")
  func steps() throws {
    let address = try #require(FleetAddress(site: "berlin", device: "door"))
    let steps = BrokerDefinitions(
      map: try #require(QueueMap(queues: 8)), devices: [DeviceLogin(address, enrolment: 9)], hubHash: "AAAA", majorVersion: nil
    )
    .steps
    #expect(steps.map { $0.contains(#""permissions":["#) } == [false, true])
    #expect(steps.map { $0.contains(#""topic_permissions":["#) } == [true, false])
  }

  @Test("the user of an enrolment has the rights of its device under a name of its own")
  func enrolment() throws {
    let address = try #require(FleetAddress(site: "berlin", device: "door"))
    let login = DeviceLogin(address, enrolment: 36 * 36 + 35)
    #expect(login.name == "berlin.door.10z" && DeviceLogin(name: "berlin.door.10z") == login)
    for other in ["berlin", "berlin.door.", "berlin.door.Z", "berlin.door.010z", "berlin.door.1.2", "guest", "berlin.Door"] {
      #expect(DeviceLogin(name: other) == nil, "\(other)")
    }
    let map = try #require(QueueMap(queues: 8))
    let (own, plain) = (
      BrokerDefinitions(map: map, devices: [login], hubHash: "AAAA", majorVersion: nil),
      BrokerDefinitions(map: map, devices: [DeviceLogin(address, enrolment: nil)], hubHash: "AAAA", majorVersion: nil)
    )
    #expect(own.json.split(separator: "berlin.door.10z").joined(separator: "berlin.door") == plain.json)
    let long = try #require(FleetAddress(site: String(repeating: "a", count: 32), device: String(repeating: "b", count: 29)))
    #expect(DeviceLogin(long, enrolment: nil).certificateFault == nil && login.certificateFault == nil)
    let fault = DeviceLogin(long, enrolment: 36).certificateFault
    #expect(fault?.hasSuffix(" has 65 characters, and the name in a certificate at most 64; use shorter names") == true)
  }
}

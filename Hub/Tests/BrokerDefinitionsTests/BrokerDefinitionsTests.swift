import BrokerDefinitions
import FleetMessages
import Partitions
import Testing

@Suite struct BrokerDefinitionsTests {
  @Test("a device may publish on its own topic alone, and no user has a password")
  func device() throws {
    let address = try #require(FleetAddress(site: "berlin", device: "door"))
    let json = BrokerDefinitions(map: try #require(QueueMap(queues: 8)), devices: [address]).json
    let key = #"fleet\\.v1\\.\#(address.partition)\\.berlin\\.door"#
    #expect(json.contains(#""exchange":"amq.topic","write":"^\#(key)$","read":"^\#(key)\\.hub$""#))
    #expect(json.contains(#"{"name":"berlin.door","password_hash":"","#) && json.contains(#"{"name":"hub","password_hash":"","#))
    #expect(!json.contains(#""password":"#))
    let queue = #"mqtt-subscription-berlin\\.door\\.[0-9a-f]{16}qos[01]"#
    #expect(json.contains(#""configure":"^\#(queue)$","write":"^(amq\\.topic|\#(queue))$","read":"^(amq\\.topic|\#(queue))$""#))
    #expect(json.contains(#""write":"^(fleet\\.[0-9]+|amq\\.topic)$""#))
  }

  @Test("an import that ends between its two documents leaves users without a permission")
  func steps() throws {
    let address = try #require(FleetAddress(site: "berlin", device: "door"))
    let steps = BrokerDefinitions(map: try #require(QueueMap(queues: 8)), devices: [address]).steps
    #expect(steps.map { $0.contains(#""permissions":["#) } == [false, true])
    #expect(steps.map { $0.contains(#""topic_permissions":["#) } == [true, false])
  }
}

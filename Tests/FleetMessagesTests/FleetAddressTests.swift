import FleetMessages
import Testing

struct FleetAddressTests {
  @Test func `the topic has the partition of the site`() throws {
    let address = try #require(FleetAddress(site: "berlin", device: "door-2"))
    // printf berlin | sha256sum begins with the octet 0xFB, modulo 64.
    #expect(address.topic == "fleet/v1/59/berlin/door-2")
    #expect(address.routingKey == "fleet.v1.59.berlin.door-2")
    #expect(address.commonName == "berlin.door-2")
    #expect(FleetAddress(routingKey: address.routingKey) == address)
    #expect(FleetAddress(commonName: "berlin.door-2") == address)
  }

  @Test(arguments: ["", "-a", "A", "a.b", "a b", "a/b", "#", "ä", "{username}", String(repeating: "a", count: 33)])
  func `a name with characters of patterns and topics is refused`(name: String) {
    #expect(FleetAddress(site: name, device: "d") == nil)
    #expect(FleetAddress(site: "s", device: name) == nil)
  }

  @Test(arguments: [
    "fleet.v1.0.berlin.door", "fleet.v1.059.berlin.door", "fleet.v2.59.berlin.door", "fleet.v1.59.berlin", "fleet.v1.59.berlin.door.x",
    "fleet.v1.59.Berlin.door", "fleet.v1.-1.berlin.door", "",
  ])
  func `a routing key of another partition or shape is refused`(key: String) {
    #expect(FleetAddress(routingKey: key) == nil)
  }

  @Test(arguments: ["berlin", "berlin.door.x", ".door", "berlin.", "*.door"])
  func `a common name of another shape is refused`(name: String) {
    #expect(FleetAddress(commonName: name) == nil)
  }
}

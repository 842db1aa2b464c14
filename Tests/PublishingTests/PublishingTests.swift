import Beacons
import Events
import Publishing
import Records
import TestSupport
import Testing

@Suite struct PublishingTests {
  let topics = TopicTree(base: "beaconmon/shop")

  @Test(
    arguments: [
      ("entrance", "entrance"), ("Exhibit-7", "Exhibit-7"), ("front hall", "front_20hall"), ("a/b", "a_2fb"), ("a_b", "a_5fb"),
      ("#+$", "_23_2b_24"), ("é", "_c3_a9"), ("", ""),
    ])
  func `every name is encoded as one level of a topic`(name: String, level: String) {
    #expect(TopicTree.level(for: name) == level)
  }

  @Test(arguments: [(RegionState.inside, "1-5"), (.outside, "none"), (.unknown, "none")])
  func `the beacon is published while the region is inside`(state: RegionState, beacon: String) throws {
    let uuid = try BeaconUUID("8ec76ea3-6668-48da-9866-75be8bc86f4d")
    let decisive = Event.Beacon(BeaconIdentity(uuid: uuid, major: 1, minor: 5))
    #expect(topics.retained(state, decisive, of: "hall").map(\.payload) == [state.rawValue, beacon])
    #expect(topics.retained(state, nil, of: "hall").map(\.payload) == [state.rawValue, "none"])
  }

  @Test func `an event is published as history, and as the last one of its region`() {
    let event = Event.of(["sequence": .count(3), "region": .text("a/b"), "state": .text("unknown")])
    #expect(topics.history(json: event.json) == Publication("beaconmon/shop/events", event.json, isRetained: false))
    #expect(
      topics.retained(lastEvent: event.json, of: "a/b") == Publication("beaconmon/shop/region/a_2fb/event", event.json, isRetained: true))
  }

  @Test func `Home Assistant receives all fields for a binary sensor and a sensor`() {
    let home = HomeAssistant(prefix: "homeassistant", topics: topics, device: "ab12", deviceName: "beaconmon till", version: "1.2.3")
    let published = home.announcements(of: "front hall", hasBeacons: true)
    #expect(
      published.map(\.topic) == [
        "homeassistant/binary_sensor/beaconmon_ab12/front_20hall/config", "homeassistant/sensor/beaconmon_ab12/front_20hall_beacon/config",
      ])
    #expect(published.allSatisfy { $0.isRetained })
    #expect(
      published[0].payload == """
        {"name":"front hall","unique_id":"beaconmon_ab12_front_20hall","qos":1,"state_topic":"beaconmon/shop/region/front_20hall/state",\
        "payload_on":"inside","payload_off":"outside","value_template":"{{ 'None' if value == 'unknown' else value }}",\
        "device_class":"occupancy","json_attributes_topic":"beaconmon/shop/region/front_20hall/event",\
        "availability_topic":"beaconmon/shop/status","device":{"identifiers":"beaconmon_ab12","name":"beaconmon till",\
        "manufacturer":"beaconmon","model":"Beacon and region monitor","sw_version":"1.2.3"},\
        "origin":{"name":"beaconmon","sw_version":"1.2.3"}}
        """)
    #expect(published[1].payload.contains(#""unique_id":"beaconmon_ab12_front_20hall_beacon""#))
    #expect(published[1].payload.contains(#""state_topic":"beaconmon/shop/region/front_20hall/beacon""#))
  }

  @Test func `a removed region leaves no retained message`() {
    let home = HomeAssistant(prefix: "ha", topics: topics, device: "ab12", deviceName: "x", version: "1")
    let removals = home.removals(of: .region("hall"))
    let clearings = topics.clearings(of: .region("hall"))
    #expect((removals + clearings).allSatisfy { $0.payload.isEmpty && $0.isRetained })
    #expect(removals.map(\.topic) == home.announcements(of: "hall", hasBeacons: true).map(\.topic))
    #expect(Set(clearings.map(\.topic)) == Set(["state", "beacon", "event"].map { "beaconmon/shop/region/hall/\($0)" }))
  }

  @Test func `the sensor of a beacon shows the payload none, and not the word None`() throws {
    let home = HomeAssistant(prefix: "ha", topics: topics, device: "ab12", deviceName: "x", version: "1")
    let sensor = try Record(json: home.announcements(of: "hall", hasBeacons: true)[1].payload)
    #expect(sensor["value_template"] == nil)
    #expect(topics.retained(.outside, nil, of: "hall").last?.payload == "none")
  }

  @Test func `a circle has no beacon, and removes one that was announced before`() throws {
    let home = HomeAssistant(prefix: "homeassistant", topics: TopicTree(base: "shop"), device: "d", deviceName: "Shop", version: "1")
    let published = home.announcements(of: "mall", hasBeacons: false)
    #expect(published.map(\.topic) == home.announcements(of: "mall", hasBeacons: true).map(\.topic))
    #expect(published.map(\.payload.isEmpty) == [false, true])
  }
}

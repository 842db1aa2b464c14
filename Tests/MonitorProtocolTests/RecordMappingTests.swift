import BeaconAdvertising
import Beacons
import DBus
import Events
import Instants
import MonitorProtocol
import Proximity
import Ranging
import Records
import Regions
import Testing

@Suite struct RecordMappingTests {
  /// The events of a region that is entered, left by distance, entered again and left by silence.
  static let events: [Event] = {
    let uuid = BeaconUUID(high: 1, low: 2)
    var engine = ProximityEngine(at: Instant(microseconds: 1_581_252_284_000_000))
    engine.add(
      .beacon(BeaconRegion(identifier: "é\"1", constraint: BeaconConstraint(uuid: uuid), nearness: BeaconRegion.Nearness(within: 3))),
      at: engine.now)
    for (range, rssi) in [(0..<40, -60), (40..<120, -85), (120..<200, -60)] as [(Range<Int64>, Int8)] {
      for tenth in range {
        engine.ingest(
          Sighting(
            beacon: BeaconIdentity(uuid: uuid, major: 1, minor: 2), measuredPower: -59, rssi: rssi,
            time: Instant(microseconds: 1_581_252_284_000_000 + tenth * 100_000)))
      }
    }
    engine.advance(to: engine.now + .seconds(60))
    return engine.drainEvents().map { $0.event(adapterName: { "hci\($0)" }) }
  }()

  @Test func `an event is unchanged after its transfer over the bus`() {
    #expect(Self.events.map { $0.kind } == [.enter, .exit, .enter, .exit])
    for event in Self.events { #expect(Event(event.dbusValue)?.json == event.json) }
  }

  @Test func `values on the bus have the documented types`() throws {
    let event = try #require(Self.events.first).dbusValue
    let types: KeyValuePairs = [
      "sequence": "t", "event": "s", "region": "s", "kind": "s", "time": "t", "state": "s", "beacon": "a{sv}", "rssi": "d", "distance": "d",
      "accuracy": "d", "distanceMethod": "s", "proximity": "s", "reason": "a{sv}",
    ]
    for (key, type) in types { #expect(event[key]?.signature == type, "\(key)") }
    #expect(event["time"] == .uint64(1_581_252_284_200_000))
    #expect(event["reason"]?["threshold"] == .double(3))
  }

  @Test func `a value that a record cannot hold is omitted, and only a dictionary is a record`() {
    #expect(Record(.string("a")) == nil)
    #expect(Record(.options(["a": .objectPath("/"), "b": .boolean(true)]))?.json == #"{"b":true}"#)
  }

  @Test func `a time before 1970 does not become one in the far future`() {
    #expect(Record(["time": .time(Instant(microseconds: -5))]).dbusValue["time"] == .uint64(0))
  }
}

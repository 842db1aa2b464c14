import Beacons
import Events
import Records
import Testing

@Suite struct EventKeyTests {
  @Test("the keys for the hub of a fleet are those of an event's JSON")
  func keys() throws {
    let beacon = try #require(BeaconIdentity("00112233-4455-6677-8899-aabbccddeeff/7/8"))
    var event = Event(sequence: 1, kind: .enter)
    event.beacon = Event.Beacon(beacon)
    let record = try Record(json: event.json)
    #expect(record[Event.Keys.kind] == .text("enter"))
    let part = try #require(record[Event.Keys.beacon]?.record)
    #expect(part[Event.Keys.uuid]?.text?.lowercased() == beacon.uuid.description)
    #expect(part[Event.Keys.major]?.short == 7 && part[Event.Keys.minor]?.short == 8)
  }
}

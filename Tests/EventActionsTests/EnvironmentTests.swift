import EventActions
import Events
import TestSupport
import Testing

@Suite struct EnvironmentTests {
  @Test func `every value of an event has an environment variable`() {
    let expected = """
      BEACONMON_SEQUENCE=7
      BEACONMON_EVENT=enter
      BEACONMON_REGION=entrance
      BEACONMON_KIND=beacon
      BEACONMON_TIME=2020-02-09T12:44:44.779766Z
      BEACONMON_STATE=inside
      BEACONMON_BEACON_UUID=8ec76ea3-6668-48da-9866-75be8bc86f4d
      BEACONMON_BEACON_MAJOR=1
      BEACONMON_BEACON_MINOR=5
      BEACONMON_RSSI=-61.2
      BEACONMON_DISTANCE=2.31
      BEACONMON_ACCURACY=1.20
      BEACONMON_PROXIMITY=near
      BEACONMON_REASON_CAUSE=approach
      BEACONMON_REASON_LAST_SEEN=2020-02-09T12:44:44.779766Z
      BEACONMON_REASON_SAMPLES=12
      BEACONMON_REASON_THRESHOLD=3.00
      BEACONMON_DURABLE=false
      """
    #expect(arrival.environment.map { "\($0.name)=\($0.value)" }.joined(separator: "\n") == expected)
  }

  @Test func `a value that no variable can hold is omitted`() {
    var event = Event(sequence: 1, kind: .enter, region: "a\0b")
    event.distance = .nan
    #expect(event.environment.map(\.name) == ["BEACONMON_SEQUENCE", "BEACONMON_EVENT"])
  }
}

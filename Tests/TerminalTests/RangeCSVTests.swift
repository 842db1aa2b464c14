import Beacons
import Instants
import Ranging
import Terminal
import Testing

@Suite struct RangeCSVTests {
  @Test func `a beacon is one line, with an empty field for each unknown value`() {
    var known = beacon(5)
    (known.place, known.placeID) = ("Lodestone", "lodestone")
    (known.battery, known.temperature) = (2.95, 21.5)
    let unknown = beacon(65535, major: 0, proximity: .unknown, distance: nil, accuracy: nil, rssi: nil)
    #expect(
      RangeCSV.header + RangeCSV.lines([known, unknown], at: start + .seconds(0.5))
        == """
        time,uuid,major,minor,proximity,distance,accuracy,rssi,rate,lastSeen,distanceMethod,place,placeId,battery,temperature\r
        2020-02-09T12:44:45.279766Z,8ec76ea3-6668-48da-9866-75be8bc86f4d,1,5,near,2.31,1.20,-61.2,9.8,2020-02-09T12:44:44.779766Z,,Lodestone,lodestone,2.95,21.5\r
        2020-02-09T12:44:45.279766Z,8ec76ea3-6668-48da-9866-75be8bc86f4d,0,65535,unknown,,,,9.8,2020-02-09T12:44:44.779766Z,,,,,\r\n
        """)
  }

  @Test func `a snapshot without beacons has no line`() {
    #expect(RangeCSV.lines([], at: start).isEmpty)
  }
}

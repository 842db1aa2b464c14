import Beacons
import Instants
import Ranging
import Terminal
import Testing

@Suite struct RangeLineTests {
  @Test func `a beacon is a line of nine fields`() {
    #expect(
      RangeLine.text(beacon(5), at: start + .seconds(0.5))
        == "2020-02-09T12:44:45.279766Z      1      5  near         2.31    1.20   -61.2    9.8   0.5")
  }

  @Test func `an unknown value keeps its field`() {
    let line = RangeLine.text(beacon(65535, major: 0, proximity: .unknown, distance: nil, accuracy: nil, rssi: nil), at: start)
    #expect(line == "2020-02-09T12:44:44.779766Z      0  65535  unknown         -       -       -    9.8   0.0")
    #expect(line.split(separator: " ").count == 9)
  }

  @Test(arguments: [
    (0.004, "0.00"), (99.994, "99.99"), (99.996, "100.0"), (999.96, "1000"), (9999.4, "9999"), (9999.6, ">9999"), (1e12, ">9999"),
  ])
  func `a distance fits into five characters`(distance: Double, text: String) {
    #expect(RangeLine.text(beacon(1, distance: distance), at: start).split(separator: " ")[4] == text)
  }
}

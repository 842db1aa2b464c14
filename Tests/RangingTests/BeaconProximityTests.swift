import Beacons
import Ranging
import Testing

@Suite struct BeaconProximityTests {
  @Test(
    arguments: [
      ([0.3], .immediate), ([0.5], .near), ([2.99], .near), ([3.0], .far), ([nil], .unknown),
      ([0.3, 0.6], .immediate), ([0.3, 0.63], .near), ([0.6, 0.55], .near), ([2, 3.5], .near), ([2, 3.8], .far), ([3.5, 3.2], .far),
      ([0.3, 3.5], .near), ([0.3, 4], .far), ([2, nil, 3.5], .far), ([40, 0.1], .immediate),
    ] as [([Double?], BeaconProximity)])
  func `a proximity band is entered at its limit and left a quarter beyond it`(distances: [Double?], expected: BeaconProximity) {
    #expect(distances.reduce(.unknown) { $0.next(distance: $1.map { Distance(metres: $0) }) } == expected)
  }
}

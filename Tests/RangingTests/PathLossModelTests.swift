import Ranging
import Testing

@Suite struct PathLossModelTests {
  @Test(
    arguments: [
      (2.0, -59.0, -59.0, 1.0), (2.0, -79.0, -59.0, 10.0), (2.0, -39.0, -59.0, 0.1), (3.0, -89.0, -59.0, 10.0), (2.7, -86.0, -59.0, 10.0),
    ] as [(Double, Double, Double, Double)])
  func `ten n decibels are a factor of ten in distance`(exponent: Double, rssi: Double, power: Double, metres: Double) {
    let distance = PathLossModel(exponent: exponent).distance(rssi: rssi, referencePower: power).metres
    #expect(abs(distance / metres - 1) < 1e-12)
  }

  @Test func `distance never jumps and always grows as the signal fades`() {
    let model = PathLossModel(exponent: 2.2)
    let distances = stride(from: -20.0, through: -110.0, by: -0.1).map { model.distance(rssi: $0, referencePower: -59).metres }
    for (near, far) in zip(distances, distances.dropFirst()) {
      #expect(far > near)
      #expect(far / near < 1.02)
    }
  }

  @Test(
    arguments: [(-59, true), (-100, true), (-20, true), (0, false), (-3, false), (-19, false), (-101, false), (59, false), (-128, false)]
      as [(Int8, Bool)])
  func `a measured power that no beacon can have is implausible`(power: Int8, isPlausible: Bool) {
    #expect(PathLossModel.isPlausible(measuredPower: power) == isPlausible)
  }
}

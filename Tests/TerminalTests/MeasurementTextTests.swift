import Testing

@testable import Terminal

@Suite struct MeasurementTextTests {
  @Test(arguments: [
    (49.64, 37.2, "50", "37"), (2.314, 1.234, "2.3", "1.2"), (2.0749, 0.312, "2.07", "0.31"), (523, 120, "520", "120"),
    (12.6, 9.96, "13", "10"),
    (0.5, 0.004, "0.50", "0.00"), (8.6, 1e9, "0", "1000000000"),
  ])
  func `a distance has the digits that its accuracy supports`(value: Double, accuracy: Double, shown: String, spread: String) {
    let measured = MeasurementText(value, accuracy: accuracy)
    #expect(measured.value == shown && measured.accuracy == spread)
  }

  @Test func `a distance without accuracy has centimetres`() {
    let measured = MeasurementText(2.314, accuracy: nil)
    #expect(measured.value == "2.31" && measured.accuracy == nil)
  }

  @Test(arguments: [
    (523, 120, "520 m outside", "1700 ft outside"), (-35.2, 8, "35 m inside", "115 ft inside"),
    (4.83, 37, "5.0 m outside", "20 ft outside"),
    (1254, 100, "1.25 km outside", "0.78 mi outside"),
  ])
  func `the distance to a boundary has the digits of its fix`(metres: Double, accuracy: Double, metric: String, imperial: String) {
    #expect(Units(isMetric: true).boundary(metres, accuracy: accuracy) == metric)
    if metres.magnitude < 300 { #expect(Units(isMetric: false).boundary(metres, accuracy: accuracy) == imperial) }
  }
}

import Records
import Testing

@Suite struct DirectionTests {
  private struct Reading: RecordRepresentable {
    var course: Double?

    static let fields: [RecordField<Self>] = [RecordField(direction: "course", \.course, decimals: 1)]
  }

  @Test(arguments: [
    (359.94, "359.9"), (359.96, "0.0"), (360, "0.0"), (-0.04, "0.0"), (-0.06, "359.9"), (-90, "270.0"), (720.25, "0.3"), (-0.0, "0.0"),
    (0, "0.0"), (180, "180.0"),
  ]) func `a written direction is below 360 degrees after it is rounded`(degrees: Double, text: String) {
    var reading = Reading()
    reading.course = degrees
    #expect(reading.record.json == "{\"course\":\(text)}")
    #expect((0..<360).contains(degrees.direction(decimals: 1)))
  }

  @Test func `an unknown direction stays unknown`() {
    #expect(Reading().record.json == "{}")
    #expect(Double.nan.direction(decimals: 1).isNaN && Double.infinity.direction(decimals: 1) == .infinity)
  }
}

import Geodesy
import HeadingSources
import Instants
import Testing

/// The field of the simulated device.
@Suite struct LocalFieldTests {
  private func field(_ latitude: Double, _ longitude: Double) throws -> LocalField {
    let place: Coordinate = try #require(Coordinate(latitude: latitude, longitude: longitude))
    return LocalField(at: place, try #require(Instant(rfc3339: "2026-07-01T00:00:00Z")))
  }

  @Test func `the field of a known place is that of the model in µT`() throws {
    let munich = try field(48.14, 11.58)
    #expect((20...22).contains(munich.horizontal) && (43...45).contains(munich.down))
    let wellington = try field(-41.29, 174.78)
    #expect(wellington.down < -45)
  }

  @Test func `an unknown place, and a time beyond the calendar, have the usual field`() throws {
    #expect(LocalField(at: nil, Instant(microseconds: 1_780_000_000_000_000)) == .usual)
    let place: Coordinate = try #require(Coordinate(latitude: -41.29, longitude: 174.78))
    #expect(LocalField(at: place, .never) == .usual)
  }
}

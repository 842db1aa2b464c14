import Geodesy
import RealModule
import TestSupport
import Testing

@Suite struct TangentPlaneTests {
  @Test(
    arguments: [(48.13715, 11.57549), (0, 0), (-33.9, 180), (52, -179.9999), (90, 0), (-90, 77), (89.9999, -120)] as [(Double, Double)])
  func `an offset on the tangent plane leads to the place that has this offset`(latitude: Double, longitude: Double) throws {
    let plane = TangentPlane(at: try #require(Coordinate(latitude: latitude, longitude: longitude)))
    for (east, north) in [(0, 0), (120, -80), (-5000, 5000), (0.01, 0), (20_000, 100)] as [(Double, Double)] {
      let place = try #require(plane.coordinate(east: east, north: north))
      let offset = plane.offset(to: place)
      #expect(abs(offset.east - east) < 1e-8 && abs(offset.north - north) < 1e-8, "\(offset)")
    }
  }

  @Test func `offsets on the tangent plane have the length and azimuth of the geodesic`() throws {
    let origin = try #require(Coordinate(latitude: 48.13715, longitude: 11.57549))
    let plane = TangentPlane(at: origin)
    for azimuth in stride(from: -180.0, to: 180, by: 15) {
      let offset = plane.offset(to: origin.destination(azimuth: azimuth, distance: 1000).coordinate)
      let expected = (east: 1000 * Double.sin(azimuth * .pi / 180), north: 1000 * Double.cos(azimuth * .pi / 180))
      #expect(Double.hypot(offset.east - expected.east, offset.north - expected.north) < 1e-5, "\(azimuth): \(offset)")
    }
  }

  @Test func `the tangent plane has no place beyond the radius of the earth`() throws {
    let plane = TangentPlane(at: try #require(Coordinate(latitude: 10, longitude: 20)))
    #expect(plane.coordinate(east: 7e6, north: 0) == nil)
    #expect(plane.coordinate(east: .nan, north: 0) == nil)
    #expect(plane.coordinate(east: 0, north: .infinity) == nil)
  }
}

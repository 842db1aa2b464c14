import Geodesy
import Seeds
import Testing
import Venues

@Suite struct VenueFrameTests {
  @Test func `the y axis points to the bearing and the x axis to its right`() throws {
    let origin = try #require(Coordinate(latitude: 48.13715, longitude: 11.57549))
    let frame = VenueFrame(origin: origin, bearing: 90)
    let east = try #require(frame.coordinate(for: PlanPoint(x: 0, y: 100)))
    let south = try #require(frame.coordinate(for: PlanPoint(x: 100, y: 0)))
    #expect(east.longitude > origin.longitude)
    #expect(abs(east.latitude - origin.latitude) < 1e-6)
    #expect(south.latitude < origin.latitude)
    #expect(abs(south.distance(to: origin) - 100) < 1e-3)
  }

  @Test(arguments: [1, 2, 3])
  func `a point on the plan returns from the earth within a micrometre`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let origin = try #require(
        Coordinate(latitude: .random(in: -89.9...89.9, using: &random), longitude: .random(in: -180...180, using: &random)))
      let frame = VenueFrame(origin: origin, bearing: .random(in: -360...360, using: &random))
      let point = PlanPoint(x: .random(in: -5000...5000, using: &random), y: .random(in: -5000...5000, using: &random))
      let coordinate = try #require(frame.coordinate(for: point))
      #expect(frame.point(for: coordinate).distance(to: point) < 1e-6)
    }
  }
}

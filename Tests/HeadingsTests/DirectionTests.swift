import Headings
import Instants
import RealModule
import SensorSimulation
import Testing

@Suite struct DirectionTests {
  /// The heading of a device in a field without a hard or soft iron, after it has rested.
  static func heading(_ orientation: DeviceOrientation, heading: Double, pitch: Double = 0, roll: Double = 0) throws -> Double {
    var simulator = SensorSimulator(horizontal: 25, down: 40, seed: 1)
    (simulator.bias, simulator.softIron, simulator.noise) = (.zero, [[1, 0, 0], [0, 1, 0], [0, 0, 1]], 0)
    simulator.accelerationNoise = 0
    simulator.lay(heading: heading, pitch: pitch, roll: roll)
    var estimator = HeadingEstimator()
    estimator.orientation = orientation
    let result = simulator.sample(into: &estimator)
    return try #require(result).magneticHeading
  }

  static func isClose(_ a: Double, _ b: Double, _ tolerance: Double = 1e-6) -> Bool { abs((a - b).remainder(dividingBy: 360)) < tolerance }

  @Test(arguments: [0, 45, 90, 179.5, 270, 359.9] as [Double])
  func `each orientation adds the angle of its edge`(degrees: Double) throws {
    #expect(Self.isClose(try Self.heading(.portrait, heading: degrees), degrees))
    #expect(Self.isClose(try Self.heading(.landscapeLeft, heading: degrees), degrees + 90))
    #expect(Self.isClose(try Self.heading(.portraitUpsideDown, heading: degrees), degrees + 180))
    #expect(Self.isClose(try Self.heading(.landscapeRight, heading: degrees), degrees + 270))
    #expect(Self.isClose(try Self.heading(.mounted(degrees: -30.5), heading: degrees), degrees - 30.5))
  }

  @Test(arguments: [-60, -30, 0, 30, 44] as [Double])
  func `pitch and roll do not change the heading of the top edge`(pitch: Double) throws {
    #expect(Self.isClose(try Self.heading(.portrait, heading: 123, pitch: pitch), 123))
    #expect(Self.isClose(try Self.heading(.portrait, heading: 123, roll: pitch), 123))
  }

  @Test(arguments: [60, 80, 90, 100, 120] as [Double])
  func `a device that is held upright points where its back points`(pitch: Double) throws {
    #expect(Self.isClose(try Self.heading(.portrait, heading: 200, pitch: pitch), 200, 0.01))
  }

  @Test func `a heading filter delivers turns of its size, across north too`() throws {
    var filter = try #require(HeadingFilter(degrees: 5))
    let headings = [358.0, 359, 2.9, 3.1, 0, 358.2, 358, .nan, 354, 349]
    #expect(headings.filter { filter.accepts($0) } == [358, 3.1, 358, 349])
    filter.reset()
    let delivers = filter.accepts(349)
    #expect(delivers)
    var everything = try #require(HeadingFilter(degrees: 0))
    #expect([10.0, 10, 10].filter { everything.accepts($0) }.count == 3)
  }

  @Test(arguments: [-0.1, 180.1, .nan, .infinity] as [Double])
  func `a heading filter outside of 0 to 180 degrees is refused`(degrees: Double) {
    #expect(HeadingFilter(degrees: degrees) == nil)
  }

  @Test func `the direction follows the heading on foot and the course in a vehicle, with hysteresis`() {
    var travel = TravelDirection()
    func choice(_ speed: Double?, for seconds: Int, from second: inout Int) -> TravelDirection.Choice {
      for _ in 0..<seconds {
        travel.take(speed: speed, at: Instant(microseconds: Int64(second) * 1_000_000))
        second += 1
      }
      return travel.choice
    }
    var second = 0
    #expect(choice(1.4, for: 60, from: &second) == .heading)
    // A sprint of four seconds is not a vehicle.
    #expect(choice(6, for: 4, from: &second) == .heading)
    #expect(choice(3, for: 10, from: &second) == .heading)
    #expect(choice(6, for: 7, from: &second) == .course)
    // Slow traffic is still a vehicle, and so is a tunnel.
    #expect(choice(3, for: 60, from: &second) == .course)
    #expect(choice(nil, for: 60, from: &second) == .course)
    #expect(choice(.nan, for: 60, from: &second) == .course)
    #expect(choice(1, for: 7, from: &second) == .heading)
  }
}

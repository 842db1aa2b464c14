import Geodesy
import Instants
import Proximity
import RealModule
import Regions
import TestSupport
import Testing

/// Fixes once a second with white noise of 5 m on each axis, which is also their accuracy.
@Suite struct NoisyWalkTests {
  @Test(arguments: [90.0, 100, 110], [1, 2] as [UInt64])
  func `a visitor near the boundary for six hours enters and exits at most once`(east: Double, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var walk = try Walk()
    for second in 0..<21_600 { try walk.step(second, east: east, &random) }
    #expect(walk.log.filter { $0.contains("enter") || $0.contains("exit") }.count <= 1, "\(walk.log)")
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `every visit is reported once and within a minute of the truth`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var walk = try Walk()
    var truth: [String] = []
    var (second, east, wasInside) = (0, 400.0, false)
    // The walk goes back and forth through the center at 1.4 m/s.
    for leg in 0..<20 {
      for _ in 0..<570 {
        (second, east) = (second + 1, east + (leg.isMultiple(of: 2) ? -1.4 : 1.4))
        let isInside = abs(east) < 100
        if isInside != wasInside { truth.append("\(second) \(isInside ? "enter" : "exit")") }
        wasInside = isInside
        try walk.step(second, east: east, &random)
      }
    }
    let told = walk.log.filter { !$0.contains("state") }.map { $0.split(separator: " ") }
    #expect(told.map { $0[1] } == truth.map { $0.split(separator: " ")[1] })
    for (claim, fact) in zip(told, truth) {
      let latency = try #require(Double(claim[0])) - (try #require(Double(fact.split(separator: " ")[0])))
      #expect((0...60).contains(latency), "\(claim) after \(fact)")
    }
  }
}

extension Walk {
  fileprivate mutating func step(_ second: Int, east: Double, _ random: inout SeededGenerator) throws {
    let noise = (east: Self.normal(&random), north: Self.normal(&random))
    let distance = Double.hypot(east + noise.east, noise.north)
    let azimuth = Double.atan2(y: east + noise.east, x: noise.north) * 180 / .pi
    let place = try #require(Coordinate(latitude: 0, longitude: 0)).destination(azimuth: azimuth, distance: distance).coordinate
    engine.ingest(Fix(place: place, accuracy: 5, time: .seconds(Double(second))), at: .seconds(Double(second)))
    note()
  }

  /// Returns a normal number, by the method of Box and Muller.
  private static func normal(_ random: inout SeededGenerator) -> Double {
    let (u, v) = (Double.random(in: .leastNonzeroMagnitude...1, using: &random), Double.random(in: 0..<1, using: &random))
    return 5 * (-2 * Double.log(u)).squareRoot() * Double.cos(2 * .pi * v)
  }
}

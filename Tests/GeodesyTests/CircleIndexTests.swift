import Geodesy
import RealModule
import TestSupport
import Testing

@Suite struct CircleIndexTests {
  /// Returns a circle of random size, often over a pole or the antimeridian.
  static func circle(_ random: inout SeededGenerator) throws -> Circle {
    let latitudes = [-90...90, -90 ... -89.99, 89.99...90, 51.4...51.6, 0...0, 90...90]
    let longitudes = [-180...180, 179.99...180, -180 ... -179.99, 0...0.2, 0...0, 180...180]
    let center = try #require(
      Coordinate(
        latitude: .random(in: latitudes.randomElement(using: &random) ?? 0...0, using: &random),
        longitude: .random(in: longitudes.randomElement(using: &random) ?? 0...0, using: &random)))
    let exponent = Double.random(in: 1...7.3, using: &random)
    return try #require(Circle(center: center, radius: min(Circle.mostRadius, .pow(10, exponent))))
  }

  static func found(_ index: CircleIndex, at place: Coordinate) -> [Int] {
    var numbers: [Int] = []
    index.forEach(containing: place) { numbers.append($0) }
    return numbers.sorted()
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `the index finds the same circles as a search of all circles`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let circles = try (0..<400).map { _ in try Self.circle(&random) }
    let index = CircleIndex(circles)
    #expect(index.count == 400)
    for _ in 0..<300 {
      // The point lies near the boundary of some circle, or anywhere.
      let near = try #require(circles.randomElement(using: &random))
      let distance = near.radius * .random(in: 0.99999...1.00001, using: &random)
      let place = near.center.destination(azimuth: .random(in: 0...360, using: &random), distance: distance).coordinate
      let expected = circles.indices.filter { circles[$0].contains(place) }
      #expect(Self.found(index, at: place) == expected, "seed \(seed), \(place)")
    }
  }

  @Test(arguments: [9, 10] as [UInt64], [0, 30, 5000, 800_000] as [Double])
  func `the index finds the same near boundaries as a search of all circles`(seed: UInt64, reach: Double) throws {
    var random = SeededGenerator(seed: seed)
    var index = CircleIndex(try (0..<200).map { _ in try Self.circle(&random) })
    for number in [3, 7, 150] { index.remove(number) }
    let added = try (0..<20).map { _ in index.insert(try Self.circle(&random)) }
    let numbers = Set(0..<200).subtracting([3, 7, 150]).union(added)
    for _ in 0..<40 {
      let near = index[try #require(numbers.sorted().randomElement(using: &random))]
      let place = near.center.destination(
        azimuth: .random(in: 0...360, using: &random), distance: near.radius + reach * .random(in: -1.5...1.5, using: &random)
      ).coordinate
      var found: [Int: Double] = [:]
      index.forEach(within: reach, of: place) { number, boundary in
        #expect(found[number] == nil)
        found[number] = boundary
      }
      let ways = numbers.map { ($0, index[$0].center.distance(to: place) - index[$0].radius) }
      #expect(found == Dictionary(uniqueKeysWithValues: ways.filter { $0.1 <= reach }), "seed \(seed), \(place)")
    }
  }

  @Test(arguments: [4, 5] as [UInt64])
  func `circles that are added and removed one by one are found while they exist`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var index = CircleIndex(try (0..<50).map { _ in try Self.circle(&random) })
    var present = Dictionary(uniqueKeysWithValues: (0..<50).map { ($0, index[$0]) })
    for round in 0..<1000 {
      if Bool.random(using: &random), let number = present.keys.sorted().randomElement(using: &random) {
        index.remove(number)
        present[number] = nil
      } else {
        let circle = try Self.circle(&random)
        let number = index.insert(circle)
        #expect(present[number] == nil)
        present[number] = circle
      }
      guard round % 10 == 0, let near = present.sorted(by: { $0.key < $1.key }).randomElement(using: &random)?.value else { continue }
      let place = near.center.destination(azimuth: .random(in: 0...360, using: &random), distance: near.radius * 0.9).coordinate
      #expect(Self.found(index, at: place) == present.filter { $0.value.contains(place) }.keys.sorted(), "seed \(seed)")
    }
    #expect(index.count == present.count)
  }

  @Test(arguments: [6, 7] as [UInt64])
  func `an index that started empty finds the same circles`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var index = CircleIndex()
    var circles: [Circle] = []
    for _ in 0..<300 {
      let circle = try Self.circle(&random)
      #expect(index.insert(circle) == circles.count)
      circles.append(circle)
      let place = circle.center.destination(azimuth: .random(in: 0...360, using: &random), distance: circle.radius * 0.9).coordinate
      #expect(Self.found(index, at: place) == circles.indices.filter { circles[$0].contains(place) }, "seed \(seed), \(place)")
    }
  }

  @Test func `a circle that certainly is farther is reported as farther`() throws {
    var random = SeededGenerator(seed: 8)
    for _ in 0..<500 {
      let circle = try Self.circle(&random)
      let index = CircleIndex([circle])
      let (azimuth, distance) = (Double.random(in: 0...360, using: &random), Double.random(in: 0...3_000_000, using: &random))
      let queryPoint = index.queryPoint(of: circle.center.destination(azimuth: azimuth, distance: distance).coordinate)
      #expect(!index.isFarther(queryPoint, from: 0, than: distance + 1e-6))
      #expect(index.isFarther(queryPoint, from: 0, than: distance * 0.99 - 1e-6))
    }
  }

  @Test(arguments: [0, -1, 20_000_001, .nan, .infinity] as [Double])
  func `an impossible radius is refused`(radius: Double) throws {
    #expect(Circle(center: try #require(Coordinate(latitude: 0, longitude: 0)), radius: radius) == nil)
  }

  @Test func `an index with a spherical figure measures distances on the sphere`() throws {
    let origin = try #require(Coordinate(latitude: 0, longitude: 0))
    let index = CircleIndex([try #require(Circle(center: origin, radius: 111_195))], figure: .sphere(radius: 6_371_008.8))
    // One degree of such a sphere is 111 195.08 m long, and 111 319.49 m on the ellipsoid's equator.
    #expect(Self.found(index, at: try #require(Coordinate(latitude: 0, longitude: 0.99999))) == [0])
    #expect(Self.found(index, at: try #require(Coordinate(latitude: 0, longitude: 1.00001))) == [])
    var boundary: Double?
    index.forEach(within: 5, of: try #require(Coordinate(latitude: 0, longitude: 1.00004))) { boundary = $1 }
    #expect(try abs(#require(boundary) - 4.53) < 0.01)
  }
}

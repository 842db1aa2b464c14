import Geodesy
import RealModule
import TestSupport
import Testing

@Suite struct GeodesicTests {
  /// A line of a reference file: both ends, both azimuths, distance in metres, and the reduced length if the file has it.
  struct Line: Sendable {
    let start, end: (latitude: Double, longitude: Double)
    let azimuths: (initial: Double, final: Double)
    let distance: Double
    let reducedLength: Double

    init(_ fields: [Double], reducedLength place: Int) {
      start = (fields[0], fields[1])
      azimuths = (fields[2], fields[5])
      end = (fields[3], fields[4])
      distance = fields[6]
      reducedLength = fields[place]
    }

    func places() throws -> (Coordinate, Coordinate) {
      (
        try #require(Coordinate(latitude: start.latitude, longitude: start.longitude)),
        try #require(Coordinate(latitude: end.latitude, longitude: end.longitude))
      )
    }
  }

  static func lines(_ fixture: String, reducedLength place: Int) throws -> [Line] {
    try Fixture.text(fixture).split(separator: "\n").map { line in
      Line(try line.split(separator: " ").map { try #require(Double($0)) }, reducedLength: place)
    }
  }

  /// The lines of GeodTest, with distances to 0.1 µm and coordinates to 1e-12 degrees and better.
  static func geodTest() throws -> [Line] { try lines("GeodTest-100.dat", reducedLength: 8) }

  /// The lines of geodsolve-200, with distances to 1 nm.
  static func geodSolve() throws -> [Line] { try lines("geodsolve-200.txt", reducedLength: 8) }

  /// Returns lines along the equator, on meridians, to poles, and between antipodes. Distances are given to 1 nm.
  static func special() throws -> [Line] { try lines("geodesics-special.txt", reducedLength: 8) }

  static let nanometre = 1e-9

  @Test func `the inverse solution agrees with GeodTest to the precision of the file`() throws {
    let lines = try Self.geodTest()
    try #require(lines.count == 100)
    for line in lines {
      let (start, end) = try line.places()
      let found = Geodesic(from: start, to: end)
      #expect(abs(found.distance - line.distance) <= 1e-6, "\(line)")
    }
  }

  @Test func `the inverse solution agrees with GeodSolve to 15 nm`() throws {
    let lines = try Self.geodSolve()
    try #require(lines.count == 200)
    for line in lines {
      let (start, end) = try line.places()
      let found = Geodesic(from: start, to: end)
      #expect(abs(found.distance - line.distance) <= 15 * Self.nanometre, "\(line)")
    }
  }

  @Test func `lines on the equator, on meridians and between antipodes agree to 15 nm`() throws {
    let lines = try Self.special()
    try #require(lines.count == 145)
    for line in lines {
      let (start, end) = try line.places()
      let found = Geodesic(from: start, to: end)
      #expect(abs(found.distance - line.distance) <= 15 * Self.nanometre, "\(line)")
      #expect(abs(found.reducedLength - line.reducedLength) <= 1e-5, "\(line)")
    }
  }

  @Test func `azimuths miss by no more than 15 nm at the other end`() throws {
    for line in try Self.geodTest() + Self.geodSolve() + Self.special() {
      let (start, end) = try line.places()
      let found = Geodesic(from: start, to: end)
      for (one, other) in [(found.initialAzimuth, line.azimuths.initial), (found.finalAzimuth, line.azimuths.final)] {
        let turn = (one - other).remainder(dividingBy: 360) * .pi / 180
        #expect(abs(turn * line.reducedLength) <= 15 * Self.nanometre, "\(line)")
      }
    }
  }

  @Test func `the reduced length agrees to 10 µm`() throws {
    for line in try Self.geodTest() {
      let (start, end) = try line.places()
      // Near the antipode, the length changes with the last bit of the azimuth.
      #expect(abs(Geodesic(from: start, to: end).reducedLength - line.reducedLength) <= 1e-5, "\(line)")
    }
  }

  @Test func `the direct problem arrives within 15 nm`() throws {
    for line in try Self.geodTest() {
      let (start, end) = try line.places()
      let found = start.destination(azimuth: line.azimuths.initial, distance: line.distance)
      // The file's distance is rounded to 0.1 µm.
      #expect(Geodesic(from: found.coordinate, to: end).distance <= 1e-7 + 15 * Self.nanometre, "\(line)")
      #expect(abs((found.azimuth - line.azimuths.final).remainder(dividingBy: 360)) * .pi / 180 * abs(line.reducedLength) < 1e-5, "\(line)")
    }
  }

  @Test func `a line has the same length backwards`() throws {
    for line in try Self.geodTest() + Self.geodSolve() + Self.special() {
      let (start, end) = try line.places()
      #expect(abs(Geodesic(from: start, to: end).distance - Geodesic(from: end, to: start).distance) <= 15 * Self.nanometre)
    }
  }

  /// Returns two positions that random numbers hardly ever give.
  ///
  /// They lie at or very near the equator, poles, the same meridian or antipodes.
  static func places(_ random: inout SeededGenerator) throws -> (Coordinate, Coordinate) {
    func one(of choices: Double...) -> Double { choices[Int.random(in: choices.indices, using: &random)] }
    let end = 180 / 298.257223563
    let tiny = Double.pow(10, .random(in: -18 ... -1, using: &random)) * one(of: -1, 1)
    let whole = Double(Int.random(in: -90...90, using: &random))
    let any = Double.random(in: -90...90, using: &random)
    let first = one(of: 0.0, -0.0, 90, -90, whole, any, tiny)
    let second = one(of: 0.0, -0.0, first, -first, -first + tiny, any)
    let longitude = one(of: 0.0, -0.0, 180, -180, 2 * whole, 2 * any)
    let supplement = one(of: 0.0, tiny, end, end + tiny, .random(in: 0...1.2, using: &random), 90, 180, 2 * any)
    let difference = (180 - supplement) * one(of: -1, 1)
    return (
      try #require(Coordinate(latitude: first, longitude: longitude)),
      try #require(Coordinate(latitude: min(90, max(-90, second)), longitude: longitude + difference))
    )
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `a line between special positions reaches its end and is no longer than any detour`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let halfMeridian = 20_003_931.458625448
    for _ in 0..<1000 {
      let (start, end) = try Self.places(&random)
      let line = Geodesic(from: start, to: end)
      let comment = Comment(rawValue: "seed \(seed): \(start) to \(end), found \(line)")
      #expect((0...halfMeridian + 15 * Self.nanometre).contains(line.distance), comment)
      // The direct problem is solved without the inverse.
      let (arrival, azimuth) = start.destination(azimuth: line.initialAzimuth, distance: line.distance)
      #expect(Self.chord(arrival, end) <= 25 * Self.nanometre, comment)
      // Near a pole, the azimuth changes with nanometres of the position.
      let turn = abs((azimuth - line.finalAzimuth).remainder(dividingBy: 360)) * .pi / 180
      #expect(turn * abs(line.reducedLength) <= 1e-6 || abs(end.latitude) > 89.99, comment)
      let back = Geodesic(from: end, to: start)
      #expect(abs(back.distance - line.distance) <= 15 * Self.nanometre, comment)
      // The detours lead over a pole, along the equator, and over any third position.
      let longest = 15 * Self.nanometre
      let latitudes = (Self.meridian(start.latitude), Self.meridian(end.latitude))
      let overPoles = halfMeridian - abs(latitudes.0 + latitudes.1)
      #expect(line.distance <= overPoles + longest, comment)
      let difference = abs((end.longitude - start.longitude).remainder(dividingBy: 360))
      if start.latitude == 0, end.latitude == 0 { #expect(line.distance <= 6_378_137 * difference * .pi / 180 + longest, comment) }
      if difference == 0 { #expect(abs(line.distance - abs(latitudes.0 - latitudes.1)) <= longest, comment) }
      if difference == 180 { #expect(abs(line.distance - overPoles) <= longest, comment) }
      let third = try Self.places(&random).0
      let detour = Geodesic(from: start, to: third).distance + Geodesic(from: third, to: end).distance
      #expect(line.distance <= detour + 2 * longest, comment)
      #expect(Self.chord(start, end) <= line.distance + longest, comment)
    }
  }

  /// Returns the metres of the meridian from the equator, by integrating its radius of curvature.
  static func meridian(_ latitude: Double) -> Double {
    let f = 1 / 298.257223563
    let e2 = f * (2 - f)
    func radius(_ degrees: Double) -> Double {
      let sine = Double.sin(degrees * .pi / 180)
      return 6_378_137 * (1 - e2) / .pow(1 - e2 * sine * sine, 1.5)
    }
    // Gauss and Legendre's rule of five points on sixteen pieces; its error here is below the rounding.
    let points = [
      (-0.906_179_845_938_664_0, 0.236_926_885_056_189_1), (-0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
      (0, 0.568_888_888_888_888_9),
      (0.538_469_310_105_683_1, 0.478_628_670_499_366_5), (0.906_179_845_938_664_0, 0.236_926_885_056_189_1),
    ]
    let half = latitude / 32
    let sum = (0..<16).reduce(0.0) { sum, piece in
      points.reduce(sum) { $0 + $1.1 * radius((Double(2 * piece + 1) + $1.0) * half) }
    }
    return sum * half * .pi / 180
  }

  /// Returns the metres straight through the earth.
  static func chord(_ a: Coordinate, _ b: Coordinate) -> Double {
    func point(_ place: Coordinate) -> (Double, Double, Double) {
      let f = 1 / 298.257223563
      let (latitude, longitude) = (place.latitude * .pi / 180, place.longitude * .pi / 180)
      let n = 6_378_137 / (1 - f * (2 - f) * .pow(Double.sin(latitude), 2)).squareRoot()
      return (n * .cos(latitude) * .cos(longitude), n * .cos(latitude) * .sin(longitude), n * (1 - f) * (1 - f) * .sin(latitude))
    }
    let (p, q) = (point(a), point(b))
    return .hypot(.hypot(p.0 - q.0, p.1 - q.1), p.2 - q.2)
  }

  @Test func `edge cases have solutions`() throws {
    let north = try #require(Coordinate(latitude: 90, longitude: 0))
    let south = try #require(Coordinate(latitude: -90, longitude: 123))
    // Half a meridian, b · π · (1 + A₁) for n.
    #expect(abs(Geodesic(from: north, to: south).distance - 20_003_931.458625) <= 1e-6)
    let here = try #require(Coordinate(latitude: 40, longitude: -75))
    #expect(Geodesic(from: here, to: here).distance == 0)
    let origin = try #require(Coordinate(latitude: 0, longitude: 0))
    let quarter = try #require(Coordinate(latitude: 0, longitude: 90))
    #expect(abs(Geodesic(from: origin, to: quarter).distance - 6_378_137 * Double.pi / 2) <= 15 * Self.nanometre)
    #expect(Geodesic(from: origin, to: quarter).initialAzimuth == 90)
  }

  @Test(arguments: [(91.0, 0.0), (-90.001, 0), (.nan, 0), (0, .nan), (0, .infinity)])
  func `values outside the earth's coordinates are not a position`(latitude: Double, longitude: Double) {
    #expect(Coordinate(latitude: latitude, longitude: longitude) == nil)
  }

  @Test(arguments: [0.0, 30, 51.5, -79, 80])
  func `the local plane errs by less than 0.1 mm at 1 km`(latitude: Double) throws {
    let origin = try #require(Coordinate(latitude: latitude, longitude: 179.999))
    let plane = LocalPlane(at: origin)
    for azimuth in stride(from: 0.0, to: 360, by: 15) {
      let (place, _) = origin.destination(azimuth: azimuth, distance: 1000)
      #expect(abs(plane.distance(to: place) - 1000) < 1e-4, "\(azimuth)")
    }
  }

  @Test func `the geodesic replaces the local plane where the plane is inaccurate`() throws {
    let cases = [(85.0, 10.0, 500.0), (40, 10, 50_000), (-89.9999, 0, 100), (0, 0, 19_000_000)]
    for (latitude, longitude, distance) in cases {
      let origin = try #require(Coordinate(latitude: latitude, longitude: longitude))
      for azimuth in stride(from: 0.0, to: 360, by: 45) {
        let (place, _) = origin.destination(azimuth: azimuth, distance: distance)
        #expect(abs(origin.distance(to: place) - distance) < 1e-7)
      }
    }
  }
}

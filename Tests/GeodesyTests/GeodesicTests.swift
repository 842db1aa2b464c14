import Geodesy
import RealModule
import TestSupport
import Testing

@Suite struct GeodesicTests {
  /// A line of a reference file: both ends, both azimuths, distance in metres, and the reduced length where it is given.
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

  /// Its distances are given to 0.1 µm, its coordinates to 1e-12 degrees and better.
  static func geodTest() throws -> [Line] { try lines("GeodTest-100.dat", reducedLength: 8) }

  /// Its distances are given to 1 nm.
  static func geodSolve() throws -> [Line] { try lines("geodsolve-200.txt", reducedLength: 8) }

  static let nanometre = 1e-9

  @Test func `the inverse of GeodTest agrees to what the file gives`() throws {
    let lines = try Self.geodTest()
    try #require(lines.count == 100)
    for line in lines {
      let (start, end) = try line.places()
      let found = Geodesic(from: start, to: end)
      #expect(abs(found.distance - line.distance) <= 1e-6, "\(line)")
    }
  }

  @Test func `the inverse of GeodSolve agrees to 15 nm`() throws {
    let lines = try Self.geodSolve()
    try #require(lines.count == 200)
    for line in lines {
      let (start, end) = try line.places()
      let found = Geodesic(from: start, to: end)
      #expect(abs(found.distance - line.distance) <= 15 * Self.nanometre, "\(line)")
    }
  }

  @Test func `azimuths miss by no more than 15 nm at the other end`() throws {
    for line in try Self.geodTest() + Self.geodSolve() {
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
      // Near the antipode it turns with the last bit of the azimuth.
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

  @Test func `the same line backwards is as long`() throws {
    for line in try Self.geodTest() + Self.geodSolve() {
      let (start, end) = try line.places()
      #expect(abs(Geodesic(from: start, to: end).distance - Geodesic(from: end, to: start).distance) <= 15 * Self.nanometre)
    }
  }

  @Test func `the edges have answers`() throws {
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
  func `what is no place on the earth is none`(latitude: Double, longitude: Double) {
    #expect(Coordinate(latitude: latitude, longitude: longitude) == nil)
  }

  @Test(arguments: [0.0, 30, 51.5, -79, 80])
  func `the local plane errs by less than 0,1 mm at 1 km`(latitude: Double) throws {
    let origin = try #require(Coordinate(latitude: latitude, longitude: 179.999))
    let plane = LocalPlane(at: origin)
    for azimuth in stride(from: 0.0, to: 360, by: 15) {
      let (place, _) = origin.destination(azimuth: azimuth, distance: 1000)
      #expect(abs(plane.distance(to: place) - 1000) < 1e-4, "\(azimuth)")
    }
  }

  @Test func `distances are the geodesic's where the plane is not good`() throws {
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

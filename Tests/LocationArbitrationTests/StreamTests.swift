import Geodesy
import Instants
import Locations
import Motion
import RealModule
import TestSupport
import Testing

@testable import LocationArbitration

@Suite struct StreamTests {
  /// A locator, and its outputs to one listener, second by second.
  private struct Day {
    var locator = Locator(sources: [SourceAbility(.gpsd, typicalAccuracy: 5, cost: .high)])
    var updates: [Location] = []

    init(_ request: LocationRequest) { locator.listen(.client(1), request, at: .at(0)) }

    mutating func take(_ fix: Location) {
      locator.take(fix, from: 0, at: fix.received)
      for case .update(.client(1), let update) in locator.drain() { updates.append(update) }
    }
  }

  @Test func `every fix is an update without a filter`() throws {
    let fixes = try Fixes()
    var day = Day(LocationRequest())
    let told = try (0..<10).map { try fixes.fix(at: Double($0)) }
    for fix in told { day.take(fix) }
    #expect(day.updates == told)
  }

  @Test(arguments: [0.3, 0.5, 1.4, 15.0]) func `a walk is reported every ten metres`(speed: Double) throws {
    let fixes = try Fixes()
    var day = Day(LocationRequest(distanceFilter: 10))
    let seconds = Int(500 / speed)
    for second in 0...seconds { day.take(try fixes.fix(east: speed * Double(second), at: Double(second), speed: speed > 1 ? speed : nil)) }
    let steps = zip(day.updates, day.updates.dropFirst()).map { $0.coordinate.distance(to: $1.coordinate) }
    // A step is at most the filter plus the distance of one fix.
    #expect(steps.allSatisfy { $0 >= 9.999 && $0 < 10 + speed + 0.001 }, "\(steps.prefix(20))")
    #expect(Double(steps.count) >= (500 / (10 + speed)).rounded(.down) - 1)
  }

  @Test func `a slow walk with noise is reported about every ten metres`() throws {
    var fixes = try Fixes(seed: 7)
    var day = Day(LocationRequest(distanceFilter: 10))
    for second in 0..<3334 { day.take(try fixes.noisy(east: 0.3 * Double(second), at: Double(second))) }
    #expect((75...105).contains(day.updates.count), "\(day.updates.count)")
    let last = try #require(day.updates.last)
    #expect(abs(last.coordinate.distance(to: fixes.origin) - 1000) < 20)
  }

  @Test(arguments: 1...3) func `noise of five metres causes no update in 24 hours`(seed: Int) throws {
    var fixes = try Fixes(seed: UInt64(seed))
    var day = Day(LocationRequest(distanceFilter: 10))
    for second in 0..<86_400 { day.take(try fixes.noisy(at: Double(second))) }
    #expect(day.updates.count <= 2, "\(day.updates.map { $0.coordinate.distance(to: fixes.origin) })")
  }

  @Test func `noise at ten fixes a second causes no update`() throws {
    var fixes = try Fixes(seed: 4)
    var day = Day(LocationRequest(distanceFilter: 10))
    for tenth in 0..<72_000 {
      let noise = (5 * fixes.random.normal(), 5 * fixes.random.normal())
      day.take(try fixes.fix(east: noise.0, north: noise.1, at: Double(tenth) / 10, speed: 0.1))
    }
    #expect(day.updates.count <= 2, "\(day.updates.map { $0.coordinate.distance(to: fixes.origin) })")
  }

  /// Returns the updates of a day of an Ornstein–Uhlenbeck process of five metres along each axis.
  ///
  /// Docs/performance.md has the figures.
  ///
  /// - Parameter speed: Whether the receiver measures the speed, with 0.1 m/s of noise along each axis.
  private func straying(seed: Int, speed: Bool) throws -> Int {
    var fixes = try Fixes(seed: UInt64(seed))
    var day = Day(LocationRequest(distanceFilter: 10))
    let kept = Double.exp(-1.0 / 300)
    let fresh = 5 * (1 - kept * kept).squareRoot()
    var (east, north) = (5 * fixes.random.normal(), 5 * fixes.random.normal())
    for second in 0..<86_400 {
      let (x, y) = (0.1 * fixes.random.normal(), 0.1 * fixes.random.normal())
      let course = (Double.atan2(y: x, x: y) * 180 / .pi + 360).truncatingRemainder(dividingBy: 360)
      day.take(
        try fixes.fix(east: east, north: north, at: Double(second), speed: speed ? .hypot(x, y) : nil, course: speed ? course : nil))
      east = kept * east + fresh * fixes.random.normal()
      north = kept * north + fresh * fixes.random.normal()
    }
    return day.updates.count
  }

  @Test(arguments: 1...3) func `noise that is correlated over five minutes hardly causes updates if the speed is known`(seed: Int) throws {
    let updates = try straying(seed: seed, speed: true)
    #expect(updates <= 2)
  }

  /// - Parameter shaking: The acceleration in m/s² along each axis.
  private func stray(shaking: Double) throws -> Int {
    var fixes = try Fixes(seed: 5)
    var day = Day(LocationRequest(distanceFilter: 10))
    var estimator = MotionEstimator()
    for second in 0..<3600 {
      for fifth in 0..<5 {
        let axes = (0..<3).map { _ in shaking * fixes.random.normal() }
        estimator.take(acceleration: [axes[0], axes[1], 9.8 + axes[2]], at: .at(Double(second) + Double(fifth) / 5))
      }
      day.locator.take(estimator.motion(at: .at(Double(second) + 0.8)), at: .at(Double(second) + 0.8))
      // The deviation is as large as multipath causes within five minutes.
      day.take(try fixes.fix(east: 20 * Double.sin(Double(second) / 100), at: Double(second) + 0.9))
    }
    return day.updates.count
  }

  @Test func `positions that stray are rejected while the accelerometer reports rest`() throws {
    #expect(try stray(shaking: 0.05) == 1)
  }

  @Test func `positions that stray are accepted while the accelerometer reports shaking`() throws {
    let updates = try stray(shaking: 1.5)
    #expect(updates > 20)
  }

  /// The changing direction alone distinguishes the noise from a stroll.
  @Test func `noise without a known speed causes fewer than 200 updates a day`() throws {
    let updates = try straying(seed: 1, speed: false)
    #expect(updates < 200)
  }

  @Test func `a slow walk is reported every ten metres by a receiver that measures speed`() throws {
    let fixes = try Fixes()
    var day = Day(LocationRequest(distanceFilter: 10))
    for second in 0...1000 { day.take(try fixes.fix(east: 0.3 * Double(second), at: Double(second), speed: 0.3, course: 90)) }
    #expect(day.updates.count == 30)
  }

  @Test(arguments: [nil, 0.1]) func `a slow walk without a reported course is not rest`(speedAccuracy: Double?) throws {
    let fixes = try Fixes()
    var day = Day(LocationRequest(distanceFilter: 10))
    for second in 0...1000 {
      day.take(try fixes.fix(east: 0.3 * Double(second), at: Double(second), speed: 0.3, speedAccuracy: speedAccuracy))
    }
    #expect(day.updates.count == 30)
  }

  /// The reports of receivers on a walk: gpsd's estimates of the speed's error, and a speed cut off below walking speed.
  @Test(
    arguments: [(1.4, 5, 1.4, 1.0), (0.3, 3, 0.3, 0.5), (0.3, 3, 0, nil), (1.4, 5, 0, nil), (10, 5, 0, nil)]
      as [(Double, Double, Double, Double?)])
  func `a walk is reported about every ten metres, whatever its reported speed`(
    walk: Double, accuracy: Double, speed: Double, speedAccuracy: Double?
  ) throws {
    var fixes = try Fixes(seed: 11)
    var day = Day(LocationRequest(distanceFilter: 10))
    for second in 0...1000 {
      day.take(
        try fixes.fix(
          east: walk * Double(second) + 0.3 * fixes.random.normal(), at: Double(second), accuracy: accuracy, speed: speed,
          speedAccuracy: speedAccuracy))
    }
    // With a reported speed of zero, a walk is detected only after a minute.
    let updates = day.updates.filter { $0.received > .at(60) }
    let steps = zip(updates, updates.dropFirst()).map { $0.coordinate.distance(to: $1.coordinate) }
    #expect(steps.allSatisfy { $0 < 11.5 + walk }, "\(steps)")
    #expect(Double(steps.count) > walk * 900 / (11 + walk), "\(steps.count)")
  }

  @Test func `a period of coarse fixes does not move a resting device`() throws {
    let fixes = try Fixes()
    var day = Day(LocationRequest(distanceFilter: 10))
    for second in 0..<600 {
      let isCoarse = second % 60 > 50
      day.take(try fixes.fix(east: isCoarse ? 100 : 0, at: Double(second), accuracy: isCoarse ? 60 : 5, speed: 0.1))
    }
    #expect(day.updates.count == 1, "\(day.updates.map { $0.coordinate.distance(to: fixes.origin) })")
  }

  @Test func `a finer filter applies to the known location at once`() throws {
    let fixes = try Fixes()
    var day = Day(LocationRequest(distanceFilter: 500))
    for (second, east) in [(0.0, 0.0), (1, 150)] { day.take(try fixes.fix(east: east, at: second)) }
    #expect(day.updates.count == 1)
    day.locator.listen(.client(1), LocationRequest(distanceFilter: 100), at: .at(2))
    #expect(day.locator.drain().count == 1)
    // The location was delivered just now.
    day.locator.listen(.client(1), LocationRequest(distanceFilter: 50), at: .at(3))
    #expect(day.locator.drain().isEmpty)
  }

  @Test func `a speed that consists of noise and has no course is rest`() throws {
    var fixes = try Fixes(seed: 5)
    var day = Day(LocationRequest(distanceFilter: 10))
    for second in 0..<7200 {
      let speed = Double.hypot(0.1 * fixes.random.normal(), 0.1 * fixes.random.normal())
      day.take(try fixes.fix(east: 12 * Double.sin(Double(second) / 100), at: Double(second), speed: speed))
    }
    #expect(day.updates.count == 1)
  }

  @Test func `a fix twice as accurate passes the filter, and one that is little better does not`() throws {
    let fixes = try Fixes()
    var day = Day(LocationRequest(distanceFilter: 100))
    for (second, accuracy) in [(0, 80.0), (1, 50), (2, 40), (3, 30), (4, 20), (5, 20)] {
      day.take(try fixes.fix(east: Double(second), at: Double(second), accuracy: accuracy))
    }
    #expect(day.updates.map(\.horizontalAccuracy) == [80, 40, 20])
  }

  @Test func `significant changes are reported at most every five minutes`() throws {
    let fixes = try Fixes()
    var day = Day(.significantChanges)
    for second in stride(from: 0.0, through: 1200, by: 1) { day.take(try fixes.fix(east: 20 * second, at: second, speed: 20)) }
    #expect(day.updates.map { ($0.received - .at(0)).seconds } == [0, 300, 600, 900, 1200])
  }

  /// Returns updates from cellular fixes alone, every two minutes.
  private func cells(_ fixes: inout Fixes, sigma: Double, hours: Double, _ place: (Double) -> Double) throws -> [Location] {
    var locator = Locator(sources: [SourceAbility(.geoClue, typicalAccuracy: 50, cost: .low)])
    locator.listen(.client(1), .significantChanges, at: .at(0))
    var updates: [Location] = []
    for second in stride(from: 0.0, through: hours * 3600, by: 120) {
      let (x, y) = (sigma * fixes.random.normal(), sigma * fixes.random.normal())
      let fix = try fixes.fix(east: place(second) + x, north: y, at: second, accuracy: sigma, from: .geoClue)
      locator.advance(to: .at(second))
      locator.take(fix, from: 0, at: .at(second))
      for case .update(.client(1), let update) in locator.drain() { updates.append(update) }
    }
    return updates
  }

  @Test(arguments: [(300.0, 900.0), (1000, 3000)], 1...3)
  func `coarse sources detect significant changes`(move: (sigma: Double, metres: Double), seed: Int) throws {
    var fixes = try Fixes(seed: UInt64(seed))
    let updates = try cells(&fixes, sigma: move.sigma, hours: 4) { $0 < 7200 ? 0 : move.metres }
    let first = updates.first { $0.received >= .at(7200) }
    #expect(first.map { $0.received <= .at(7200 + 3600) } ?? false, "\(updates.map { ($0.received - .at(0)).seconds })")
  }

  @Test(arguments: [300.0, 1000], 1...3) func `a day of coarse noise hardly causes a significant change`(sigma: Double, seed: Int) throws {
    var fixes = try Fixes(seed: UInt64(seed))
    let updates = try cells(&fixes, sigma: sigma, hours: 24) { _ in 0 }
    #expect(updates.count <= 3, "\(updates.map { $0.coordinate.distance(to: fixes.origin) })")
  }

  @Test func `fixes of a long journey over the antimeridian and a pole keep their distances`() throws {
    for origin in [(0.0, 179.9999), (89.9995, 0.0), (-89.9999, 30)] {
      let fixes = try Fixes(at: .init(latitude: origin.0, longitude: origin.1))
      var day = Day(LocationRequest(distanceFilter: 10))
      for second in 0...400 { day.take(try fixes.fix(east: 0.5 * Double(second), at: Double(second))) }
      let steps = zip(day.updates, day.updates.dropFirst()).map { $0.coordinate.distance(to: $1.coordinate) }
      #expect(steps.allSatisfy { $0 >= 9.99 && $0 < 10.6 }, "\(origin): \(steps)")
      #expect(steps.count >= 18)
    }
  }
}

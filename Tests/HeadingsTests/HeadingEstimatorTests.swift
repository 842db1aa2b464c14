import Foundation
import Geodesy
import Geomagnetism
import Headings
import Instants
import RealModule
import Seeds
import SensorSimulation
import Testing

@Suite struct HeadingEstimatorTests {
  struct Place: CustomTestStringConvertible, Sendable {
    let name: String
    let latitude: Double
    let longitude: Double

    var testDescription: String { name }

    func reference() throws -> MagneticReference {
      let coordinate = try #require(Coordinate(latitude: latitude, longitude: longitude))
      let field = try #require(MagneticModel.wmm2025.field(at: coordinate, year: 2026.5))
      return MagneticReference(
        strength: field.strength / 1000, inclination: field.inclination, declination: field.declination,
        declinationUncertainty: field.declinationUncertainty, isBlackout: field.zone == .blackout)
    }

    func simulator(seed: UInt64) throws -> SensorSimulator {
      let reference = try reference()
      let radians = reference.inclination * .pi / 180
      return SensorSimulator(horizontal: reference.strength * .cos(radians), down: reference.strength * .sin(radians), seed: seed)
    }
  }

  static let places = [
    Place(name: "San Francisco", latitude: 37.77, longitude: -122.42), Place(name: "São Paulo", latitude: -23.55, longitude: -46.63),
    Place(name: "Tromsø", latitude: 69.65, longitude: 18.96), Place(name: "Singapore", latitude: 1.35, longitude: 103.82),
  ]

  static func turn(from start: Double, to end: Double) -> Double { (end - start).remainder(dividingBy: 360) }

  /// An estimator that has been calibrated for 40 s by random rotations, and its device.
  static func calibrated(at place: Place, seed: UInt64, seconds: Int = 40) throws -> (SensorSimulator, HeadingEstimator) {
    var simulator = try place.simulator(seed: seed)
    var estimator = HeadingEstimator()
    estimator.reference = try place.reference()
    for _ in 0..<seconds * 100 {
      simulator.tumble()
      simulator.sample(into: &estimator)
    }
    return (simulator, estimator)
  }

  /// Whether the long tests are wanted, by BEACONMON_SOAK.
  static let isSoak = ProcessInfo.processInfo.environment["BEACONMON_SOAK"] != nil

  @Test func `the first headings have no accuracy, and the calibration reports its progress`() throws {
    var simulator = try Self.places[0].simulator(seed: 1)
    var estimator = HeadingEstimator()
    #expect(estimator.state == .unavailable)
    #expect(estimator.calibrationProgress == 0)
    let first = simulator.sample(into: &estimator)
    let heading = try #require(first)
    #expect(heading.accuracy == nil)
    #expect(heading.trueHeading == nil)
    #expect(estimator.state == .uncalibrated)
    var progress = [0.0]
    while estimator.calibration == nil, (simulator.time.seconds) < 60 {
      simulator.tumble()
      simulator.sample(into: &estimator)
      progress.append(estimator.calibrationProgress)
    }
    #expect(estimator.calibrationProgress == 1)
    #expect(progress.contains { $0 > 0.1 && $0 < 0.9 })
    #expect(progress.allSatisfy { (0...1).contains($0) })
    #expect(estimator.coveredDirections.count == 96)
    #expect(estimator.coveredDirections.contains(true))
  }

  @Test func `a device that has only turned on a table states a large error when it is raised`() throws {
    var simulator = try Self.places[0].simulator(seed: 1)
    var estimator = HeadingEstimator()
    estimator.reference = try Self.places[0].reference()
    for step in 0..<6000 {
      simulator.lay(heading: Double(step) * 0.7)
      simulator.sample(into: &estimator)
    }
    simulator.lay(heading: 77, pitch: 60)
    var last: Heading?
    for _ in 0..<600 { last = simulator.sample(into: &estimator) }
    let heading = try #require(last)
    // The offset across the table is unknown.
    let error = abs(Self.turn(from: simulator.heading, to: heading.magneticHeading))
    #expect(error <= 3 * (heading.accuracy ?? 60))
    #expect((heading.accuracy ?? 60) > 2)
  }

  @Test func `a stored calibration is used at once`() throws {
    var (simulator, estimator) = try Self.calibrated(at: Self.places[0], seed: 8)
    let stored = try #require(estimator.calibration)
    let matrix = try #require(SpaceMatrix(rowMajor: stored.matrix.rowMajor))
    let restored = try #require(
      MagneticCalibration(
        offset: stored.offset, matrix: matrix, strength: stored.strength, strengthOfPlace: stored.strengthOfPlace,
        sineOfInclination: stored.sineOfInclination, residual: stored.residual, covariance: stored.storedCovariance))
    #expect(restored == stored)
    estimator = HeadingEstimator(calibration: restored)
    estimator.reference = try Self.places[0].reference()
    simulator.lay(heading: 123)
    var last: Heading?
    for _ in 0..<300 { last = simulator.sample(into: &estimator) }
    let heading = try #require(last)
    #expect(abs(Self.turn(from: 123, to: heading.magneticHeading)) < 2)
    #expect(heading.accuracy != nil)
    let declination = try Self.places[0].reference().declination
    let trueHeading = try #require(heading.trueHeading)
    #expect(abs(Self.turn(from: heading.magneticHeading + declination, to: trueHeading)) < 1e-9)
    let (trueAccuracy, accuracy) = (try #require(heading.trueAccuracy), try #require(heading.accuracy))
    #expect(trueAccuracy > accuracy)
  }

  @Test func `a calibration with impossible values is not restored`() {
    func calibration(
      offset: SpaceVector = .zero, strength: Double = 50, residual: Double = 1, covariance: [Double] = .init(repeating: 0, count: 144)
    ) -> MagneticCalibration? {
      MagneticCalibration(
        offset: offset, matrix: .identity, strength: strength, strengthOfPlace: nil, sineOfInclination: nil, residual: residual,
        covariance: covariance)
    }
    #expect(calibration() != nil)
    #expect(calibration(offset: [.nan, 0, 0]) == nil)
    #expect(calibration(strength: 0) == nil)
    #expect(calibration(residual: -1) == nil)
    #expect(calibration(covariance: []) == nil)
    #expect(calibration(covariance: .init(repeating: .infinity, count: 144)) == nil)
    #expect(SpaceMatrix(rowMajor: [1, 2, 3, 2, 4, 6, 0, 0, 1]) == nil)
    #expect(SpaceMatrix(rowMajor: [1, 0, 0, 0, 1, 0, 0, 0, .nan]) == nil)
    #expect(SpaceMatrix(rowMajor: [1, 0, 0]) == nil)
  }

  @Test func `samples without a field, saturated or not finite are refused and counted`() throws {
    var (simulator, estimator) = try Self.calibrated(at: Self.places[0], seed: 4)
    let wrong: [SpaceVector] = [.zero, [.nan, 0, 0], [.infinity, 1, 1], [4000, 4000, 4000]]
    for field in wrong { #expect(estimator.take(field: field, at: simulator.time) == nil) }
    #expect(estimator.refused == wrong.count)
    estimator.take(acceleration: [.nan, 0, 9.8], at: simulator.time)
    estimator.take(rotation: [0, .infinity, 0], at: simulator.time)
    #expect(estimator.refused == wrong.count + 2)
    #expect(simulator.sample(into: &estimator) != nil)
  }

  @Test func `when time goes back, the filter restarts and the calibration is kept`() throws {
    var (simulator, estimator) = try Self.calibrated(at: Self.places[0], seed: 4)
    simulator.lay(heading: 300)
    for _ in 0..<600 { simulator.sample(into: &estimator) }
    let calibration = estimator.calibration
    estimator.take(acceleration: simulator.axes[2] * 9.8, at: Instant(microseconds: 0))
    let field = SpaceVector(20, 10, -30)
    _ = estimator.take(field: field, at: Instant(microseconds: 1000))
    #expect(estimator.calibration == calibration)
    var last: Heading?
    for _ in 0..<600 { last = simulator.sample(into: &estimator) }
    let heading = try #require(last)
    #expect(abs(Self.turn(from: 300, to: heading.magneticHeading)) < 2)
  }

  @Test func `near a magnetic pole there is no true heading`() throws {
    var (simulator, estimator) = try Self.calibrated(at: Self.places[0], seed: 4)
    let here = try Self.places[0].reference()
    estimator.reference = MagneticReference(
      strength: here.strength, inclination: here.inclination, declination: 40, declinationUncertainty: 9, isBlackout: true)
    let first = simulator.sample(into: &estimator)
    let heading = try #require(first)
    #expect(heading.trueHeading == nil)
    #expect(heading.trueAccuracy == nil)
  }

  @Test func `without an accelerometer there is no heading, unless the device is assumed to lie level`() throws {
    var estimator = HeadingEstimator()
    #expect(estimator.take(field: [20, 0, -40], at: Instant(microseconds: 1)) == nil)
    estimator = HeadingEstimator()
    estimator.assumesLevel = true
    let heading = estimator.take(field: [-20, 0, -40], at: Instant(microseconds: 1))
    // North is to the left of the screen.
    #expect(try #require(heading).magneticHeading == 90)
    #expect(heading?.accuracy == nil)
  }

  @Test func `a gyroscope removes the lag of the filter`() throws {
    let (simulator, calibrated) = try Self.calibrated(at: Self.places[3], seed: 6)
    var errors: [Bool: Double] = [:]
    for hasGyroscope in [false, true] {
      var (device, estimator) = (simulator, calibrated)
      let rate = 90.0
      var last: Heading?
      for step in 0..<400 {
        device.lay(heading: Double(step) * rate / 100)
        // The device turns clockwise, seen from above.
        if hasGyroscope { estimator.take(rotation: [0, 0, -rate * .pi / 180], at: device.time + SensorSimulator.interval) }
        last = device.sample(into: &estimator)
      }
      let heading = try #require(last)
      errors[hasGyroscope] = abs(Self.turn(from: device.heading, to: heading.magneticHeading))
    }
    let (without, with) = (try #require(errors[false]), try #require(errors[true]))
    // At 90° a second the lag of the filter alone would be 25°; three quarters of it are removed without a gyroscope.
    #expect((4...10).contains(without))
    #expect(with < 3)
  }

  @Test func `the field of a part that is fixed to the device for good is learned`() throws {
    var (simulator, estimator) = try Self.calibrated(at: Self.places[0], seed: 2)
    simulator.bias += [60, -20, 30]
    for _ in 0..<100 { simulator.sample(into: &estimator) }
    #expect(estimator.state == .disturbed)
    for _ in 0..<9000 {
      simulator.tumble()
      simulator.sample(into: &estimator)
    }
    simulator.lay(heading: 45)
    var last: Heading?
    for _ in 0..<600 { last = simulator.sample(into: &estimator) }
    let heading = try #require(last)
    #expect(estimator.state == .calibrated)
    #expect(abs(Self.turn(from: 45, to: heading.magneticHeading)) < 2)
  }
}

extension Instant {
  var seconds: Double { Double(microseconds) / 1e6 }
}

import Headings
import Instants
import Locations
import SensorSimulation
import TestSupport
import Testing

@testable import Orientation

@Suite struct CalibrationRecorderTests {
  private static let day = Span.seconds(86_400)
  /// The middle of 2026.
  private let today = Instant(microseconds: 1_782_900_000_000_000)
  private let now = Instant(microseconds: 5_000_000)
  /// The time of a machine without a battery for its clock.
  private let unset = Instant(microseconds: 12_000_000)
  private let file = FakeCalibrations()

  private func calibration(_ size: Double = 10) throws -> MagneticCalibration {
    try #require(
      MagneticCalibration(
        offset: [size, 0, 0], matrix: .identity, strength: 45, strengthOfPlace: nil, sineOfInclination: 0.8, residual: 0.4,
        covariance: Array(repeating: 0, count: 144)))
  }

  @Test func `a calibration is stored once, renewed daily, and not used after a year without a confirmation`() throws {
    let recorder = CalibrationRecorder(file)
    let known = try calibration()
    for _ in 1...3 { recorder.store(known, of: "chip", at: today, now: now) }
    #expect(file.writes == 1 && file.stored.map(\.time) == [today])
    recorder.store(known, of: "chip", at: today + Self.day, now: now)
    #expect(file.writes == 2 && file.stored.map(\.time) == [today + Self.day])
    let next = CalibrationRecorder(file)
    #expect(next.calibration(of: "chip", at: today + Self.day * 300) == known)
    #expect(next.calibration(of: "chip", at: today + Self.day * 400) == nil)
    #expect(next.calibration(of: "other", at: today) == nil && next.calibration(of: nil, at: today) == nil)
  }

  @Test func `a file that cannot be read for a moment loses no calibration`() throws {
    let earlier = CalibrationRecorder(file)
    for number in 1...3 { earlier.store(try calibration(Double(number)), of: "chip \(number)", at: today, now: now) }
    let recorder = CalibrationRecorder(file)
    file.works = false
    #expect(recorder.calibration(of: "chip 1", at: today) == nil)
    file.works = true
    recorder.store(try calibration(9), of: "chip 1", at: today, now: now)
    #expect(Set(file.stored.map(\.device)) == ["chip 1", "chip 2", "chip 3"])
    #expect(recorder.calibration(of: "chip 1", at: today)?.offset.x == 9)
    #expect(recorder.calibration(of: "chip 2", at: today)?.offset.x == 2)
  }

  @Test func `a write that failed is repeated after a minute`() throws {
    let recorder = CalibrationRecorder(file)
    let known = try calibration()
    file.works = false
    let isDue = recorder.isDue(known, at: now)
    #expect(isDue)
    recorder.store(known, of: "chip", at: today, now: now)
    let isDueAtOnce = recorder.isDue(known, at: now + .seconds(30))
    #expect(!isDueAtOnce)
    file.works = true
    let isDueLater = recorder.isDue(known, at: now + .seconds(61))
    #expect(isDueLater)
    recorder.store(known, of: "chip", at: today, now: now + .seconds(61))
    #expect(file.stored.count == 1)
    let isDueAgain = recorder.isDue(known, at: now + .seconds(10_000))
    #expect(!isDueAgain)
  }

  @Test func `a clock that is not set discards no calibration, and its time replaces none`() throws {
    let recorder = CalibrationRecorder(file)
    let known = try calibration()
    recorder.store(known, of: "chip", at: today, now: now)
    #expect(CalibrationRecorder(file).calibration(of: "chip", at: unset) == known)
    recorder.store(known, of: "chip", at: unset, now: now)
    #expect(file.stored.map(\.time) == [today])
    let refined = try calibration(11)
    recorder.store(refined, of: "chip", at: unset, now: now)
    #expect(file.stored.map(\.time) == [nil])
    // As soon as the clock is set, the calibration has a time and a limit.
    let next = CalibrationRecorder(file)
    #expect(next.calibration(of: "chip", at: today) == refined)
    next.store(refined, of: "chip", at: today, now: now)
    #expect(file.stored.map(\.time) == [today])
    #expect(next.calibration(of: "chip", at: today + Self.day * 400) == nil)
  }

  @Test func `a clock that was ahead makes no calibration eternal`() throws {
    let recorder = CalibrationRecorder(file)
    let known = try calibration()
    recorder.store(known, of: "chip", at: today + Self.day * 4000, now: now)
    let next = CalibrationRecorder(file)
    #expect(next.calibration(of: "chip", at: today) == known)
    next.store(known, of: "chip", at: today, now: now)
    #expect(file.stored.map(\.time) == [today])
  }

  @Test func `the oldest calibrations are removed beyond 16 devices`() throws {
    let recorder = CalibrationRecorder(file)
    for number in 0..<20 {
      recorder.store(try calibration(), of: "chip \(number)", at: today + .seconds(Double(number)), now: now)
    }
    #expect(file.stored.count == 16 && recorder.stored(of: "chip 3") == nil && recorder.stored(of: "chip 4") != nil)
  }

  @Test func `without a file a calibration lasts until the end of the process`() throws {
    let recorder = CalibrationRecorder(nil)
    let known = try calibration()
    recorder.store(known, of: "chip", at: today, now: now)
    #expect(recorder.calibration(of: "chip", at: today) == known)
  }

  @Test func `a calibration is stored under the device that its samples came from`() throws {
    let scene = HeadingScene(file)
    scene.service.listen(.session(1), HeadingRequest(filter: 0))
    scene.calibrate()
    // The source has gone over to another magnetometer.
    scene.source.device = "other 2-001e"
    scene.run(1)
    #expect(scene.drainUpdates().last?.hasDirection == false)
    scene.service.end(.session(1))
    #expect(file.stored.map(\.device) == ["chip 1-000c"])
    scene.source.device = "chip 1-000c"
    scene.service.listen(.session(1), HeadingRequest(filter: 0))
    scene.run(2)
    #expect(scene.drainUpdates().last?.hasDirection == true)
  }

  @Test func `a source that stops with another device stores the calibration of the first`() {
    let scene = HeadingScene(file)
    scene.service.listen(.session(1), HeadingRequest(filter: 0))
    scene.run(30, tumbling: true)
    scene.source.device = "other 2-001e"
    scene.service.end(.session(1))
    #expect(file.stored.map(\.device) == ["chip 1-000c"])
  }
}

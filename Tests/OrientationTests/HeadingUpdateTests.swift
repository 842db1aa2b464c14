import Headings
import Instants
import Locations
import Orientation
import SensorSimulation
import TestSupport
import Testing

/// The updates that clients receive, and their times.
@Suite struct HeadingUpdateTests {
  @Test func `the field is that of the sensor, with and without a calibration`() throws {
    let scene = HeadingScene()
    scene.service.listen(.session(1), HeadingRequest(filter: 0))
    scene.run(1)
    func check() throws {
      let update = try #require(scene.drainUpdates().last)
      let sample = try #require(scene.lastField)
      let values = (try #require(update.x), try #require(update.y), try #require(update.z))
      #expect(SpaceVector(values.0, values.1, values.2) == sample)
      #expect(abs(try #require(update.magnitude) - sample.length) < 1e-9)
    }
    try check()
    scene.calibrate()
    try check()
    scene.device.localField = [100, 0, 0]
    scene.run(1)
    try check()
  }

  @Test func `a device at rest sends a heading in each interval, with the time of its sample`() throws {
    let scene = HeadingScene()
    scene.service.listen(.session(1), HeadingRequest(filter: 5, interval: .seconds(4)))
    scene.calibrate()
    scene.run(10)
    _ = scene.drain()
    scene.run(20)
    let updates = scene.drainUpdates()
    #expect((4...6).contains(updates.count) && updates.allSatisfy(\.hasDirection))
    let times = updates.compactMap(\.timestamp)
    #expect(zip(times, times.dropFirst()).allSatisfy { (Span.seconds(3)...Span.seconds(5)).contains($1 - $0) })
    #expect(times.last.map { scene.scheduler.wallClock - $0 < .seconds(5) } == true)
  }

  @Test func `an interval also repeats the field of a device without a direction`() {
    let scene = HeadingScene()
    scene.service.listen(.session(1), HeadingRequest(filter: 5, interval: .seconds(4)))
    scene.run(1)
    _ = scene.drain()
    scene.run(20)
    #expect((4...6).contains(scene.drainUpdates().count))
  }

  /// The values of a receiver's compass have no accuracy, so the sensors of a device make one.
  @Test func `an accuracy that is clearly worse is sent although the heading stays, and a little change is not`() throws {
    let scene = HeadingScene()
    scene.service.listen(.session(1), HeadingRequest(filter: 20))
    scene.calibrate()
    scene.run(10)
    let before = try #require(scene.drainUpdates().last?.accuracy)
    // A local field that is not yet interference. It points up, so that the heading stays.
    scene.device.localField = [0, 0, -16]
    scene.run(4)
    let updates = scene.drainUpdates()
    #expect(updates.contains { ($0.accuracy ?? 0) >= 2 * before })
    #expect(updates.count <= 6, "\(updates.map(\.accuracy))")
    scene.device.localField = .zero
    scene.run(10)
    #expect(try #require(scene.drainUpdates().last?.accuracy) < 2 * before + 1)
    scene.run(30)
    #expect(scene.drain() == [])
  }

  @Test func `a course has the time of its fix, and one of long ago is not a direction`() throws {
    let scene = HeadingScene()
    scene.service.listen(.session(1), HeadingRequest(followsTravel: true))
    for _ in 0..<20 {
      scene.scheduler.advance(by: .seconds(1))
      scene.service.take(try scene.location(speed: 20, course: 45, age: .seconds(3)))
    }
    let updates = scene.drainUpdates().filter { $0.kind == .course }
    let latest = try #require(updates.last)
    #expect(latest.trueHeading == 45 && latest.magneticHeading == nil)
    #expect(latest.timestamp.map { (Span.milliseconds(2999)...Span.seconds(23)).contains(scene.scheduler.wallClock - $0) } == true)
    let first = try #require(updates.first?.timestamp)
    // Five seconds after the start of the travel, with a fix that was three seconds old.
    #expect(first == scene.begin + .seconds(6 - 3))

    let late = HeadingScene()
    late.service.listen(.session(1), HeadingRequest(followsTravel: true))
    for _ in 0..<20 {
      late.scheduler.advance(by: .seconds(1))
      late.service.take(try late.location(speed: 20, course: 45, age: .seconds(15)))
    }
    #expect(!late.drainUpdates().contains { $0.kind == .course })
  }

  @Test(arguments: [(-0.1, 359.9), (360, 0), (359.999, 0), (720.5, 0.5), (-360, 0)] as [(Double, Double)])
  func `a direction is at least 0 and below 360 degrees`(degrees: Double, expected: Double) {
    var update = HeadingUpdate()
    update.setDirection(.heading, magnetic: degrees, true: degrees)
    #expect(update.magneticHeading == expected && update.trueHeading == expected && update.kind == .heading)
  }

  @Test(arguments: [.nan, .infinity, -.infinity] as [Double])
  func `a direction that is not finite is absent`(degrees: Double) {
    var update = HeadingUpdate()
    update.setDirection(.heading, magnetic: degrees, true: nil)
    #expect(!update.hasDirection && update.kind == nil)
  }

  @Test(arguments: [-0.1, -1, 360.1, .nan, .infinity] as [Double])
  func `a compass that reports an impossible heading has none, and 360° is north`(degrees: Double) {
    #expect(HeadingReading(magneticHeading: degrees) == nil)
    #expect(HeadingReading(trueHeading: degrees) == nil)
    #expect(HeadingReading(magneticHeading: 360)?.magneticHeading == 0)
  }

  @Test func `a compass that no longer knows a heading withdraws the last one at once`() throws {
    let scene = HeadingScene()
    let reading = try #require(HeadingReading(magneticHeading: 90))
    scene.service.listen(.session(1), HeadingRequest(filter: 5))
    scene.source.onMeasurement(.heading(reading), scheduler(scene))
    #expect(scene.drainUpdates().map(\.magneticHeading) == [90])
    scene.source.onMeasurement(.noHeading, scheduler(scene))
    #expect(scene.drainUpdates().map(\.hasDirection) == [false])
    #expect(scene.service.status.first?.state == .uncalibrated)
    // It is reported once.
    for _ in 0..<3 { scene.source.onMeasurement(.noHeading, scheduler(scene)) }
    #expect(scene.drain() == [])
    scene.source.onMeasurement(.heading(reading), scheduler(scene))
    #expect(scene.drainUpdates().map(\.magneticHeading) == [90])
  }

  private func scheduler(_ scene: HeadingScene) -> Instant {
    // The source does not count as silent.
    scene.scheduler.advance(by: .milliseconds(500))
    return scene.scheduler.now
  }

  @Test func `a device without an accelerometer gets a heading with a wide accuracy`() throws {
    let scene = HeadingScene()
    scene.source.hasAccelerometer = false
    scene.service.listen(.session(1), HeadingRequest(filter: 0))
    scene.calibrate()
    let update = try #require(scene.drainUpdates().last)
    let heading = try #require(update.magneticHeading)
    let accuracy = try #require(update.accuracy)
    // A tilt of 5° in a field of 20 and 45 µT turns the heading by 11°.
    #expect(accuracy > 8 && accuracy < 25 && abs(heading - 90) < 2 * accuracy)
  }

  @Test func `an accelerometer that appears later narrows the accuracy`() throws {
    let scene = HeadingScene()
    scene.source.hasAccelerometer = false
    scene.service.listen(.session(1), HeadingRequest(filter: 0))
    scene.calibrate()
    _ = scene.drain()
    scene.source.hasAccelerometer = true
    scene.calibrate()
    #expect(try #require(scene.drainUpdates().last?.accuracy) < 4)
  }

  @Test func `a magnetic model that is out of date is a note in the status and one line in the log, and the true heading is less certain`()
    throws
  {
    let scene = HeadingScene()
    scene.service.listen(.session(1), HeadingRequest(filter: 0))
    scene.calibrate()
    scene.service.take(try scene.location())
    scene.run(10)
    let known = try #require(scene.drainUpdates().last)
    #expect(scene.service.status.first?.note == nil)
    // The start of 2033.
    scene.scheduler.wallClock = Instant(microseconds: 1_988_150_400_000_000)
    scene.service.take(try scene.location())
    scene.run(1)
    let late = try #require(scene.drainUpdates().last)
    #expect(scene.service.status.first?.note == "WMM-2025 was valid until 2030; update beaconmon")
    scene.service.take(try scene.location())
    #expect(scene.lines.all == ["true headings are less certain: WMM-2025 was valid until 2030; update beaconmon"])
    #expect(try #require(late.trueAccuracy) > (try #require(known.trueAccuracy)) + 0.5)
    #expect(late.accuracy.map { abs($0 - (known.accuracy ?? 0)) < 0.5 } == true)
  }
}

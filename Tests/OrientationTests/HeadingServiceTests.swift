import Headings
import Instants
import Locations
import Orientation
import SensorSimulation
import TestSupport
import Testing

@Suite struct HeadingServiceTests {
  @Test func `a source is on only while a client asks, without a timer before and after`() {
    let scene = HeadingScene()
    #expect(!scene.source.isOn && scene.service.isAvailable)
    scene.service.listen(.session(1), HeadingRequest())
    scene.service.listen(.session(2), HeadingRequest())
    scene.service.end(.session(1))
    #expect(scene.source.isOn && scene.locations.requests.count == 1)
    scene.service.end(.session(2))
    #expect(!scene.source.isOn && scene.locations.requests.last == .some(nil))
    scene.scheduler.advance(by: .seconds(3600))
    #expect(scene.source.starts == 1)
  }

  @Test func `a source is fast only while a client wants each sample`() {
    let scene = HeadingScene()
    scene.service.listen(.session(1), HeadingRequest(filter: 5))
    #expect(!scene.source.isFast)
    scene.service.listen(.session(2), HeadingRequest(filter: 0))
    #expect(scene.source.isFast)
    scene.service.listen(.session(2), HeadingRequest(filter: 1))
    #expect(!scene.source.isFast)
    scene.service.listen(.session(2), HeadingRequest(filter: 0))
    scene.service.end(.session(2))
    #expect(!scene.source.isFast)
  }

  @Test func `there is no direction until the magnetometer is calibrated, and the need ends by itself`() throws {
    let scene = HeadingScene()
    scene.service.listen(.session(1), HeadingRequest(filter: 0))
    scene.run(1)
    #expect(scene.drainUpdates().allSatisfy { !$0.hasDirection && $0.accuracy == nil && $0.magnitude != nil })
    scene.run(1)
    scene.calibrate()
    let outputs = scene.drain()
    let calibrations = outputs.compactMap { if case .calibration(_, let status) = $0 { status } else { nil } }
    #expect(calibrations.first?.isNeeded == true && calibrations.last?.isNeeded == false)
    #expect(calibrations.allSatisfy { $0.coverage?.utf8.count == 96 })
    guard case .update(_, let update)? = outputs.last else {
      Issue.record("no update")
      return
    }
    let heading = try #require(update.magneticHeading)
    #expect(abs(heading - 90) < 3 && update.kind == .heading && update.trueHeading == nil && update.accuracy != nil)
  }

  @Test func `a device at rest causes no updates with a filter of 5°, and a turn does`() {
    let scene = HeadingScene()
    scene.service.listen(.session(1), HeadingRequest(filter: 5))
    scene.calibrate()
    // The accuracy becomes better for some seconds after a turn.
    scene.run(5)
    _ = scene.drain()
    scene.run(60)
    #expect(scene.drain() == [])
    scene.device.lay(heading: 100)
    scene.run(3)
    #expect(!scene.drainUpdates().isEmpty)
  }

  @Test func `a magnet causes one failure and no direction, and its end brings the direction back`() {
    let scene = HeadingScene()
    scene.service.listen(.session(1), HeadingRequest(filter: 0))
    scene.calibrate()
    _ = scene.drain()
    scene.device.localField = [100, 0, 0]
    scene.run(2)
    let outputs = scene.drain()
    let failures = outputs.compactMap { if case .failed(_, let failure) = $0 { failure.reason } else { nil } }
    #expect(failures == [.disturbed])
    guard case .update(_, let last)? = outputs.last else {
      Issue.record("no update")
      return
    }
    #expect(!last.hasDirection && last.magnitude != nil)
    scene.device.localField = .zero
    scene.run(2)
    #expect(scene.drainUpdates().last?.hasDirection == true)
  }

  @Test func `a sensor that vanishes is tried again until it is back`() {
    let scene = HeadingScene()
    scene.service.listen(.session(1), HeadingRequest(filter: 0))
    scene.run(1)
    _ = scene.drain()
    scene.source.vanish()
    scene.scheduler.settle()
    guard case .failed(.session(1), let failure)? = scene.drain().first else {
      Issue.record("no failure")
      return
    }
    #expect(failure.reason == .unavailable && !scene.service.isAvailable)
    scene.scheduler.advance(by: .seconds(300))
    scene.source.isPresent = true
    scene.run(40)
    #expect(scene.source.isOn)
    #expect(!scene.drainUpdates().isEmpty)
  }

  @Test func `a silent source is started again`() {
    let scene = HeadingScene()
    scene.service.listen(.session(1), HeadingRequest())
    scene.scheduler.advance(by: .seconds(10))
    #expect(scene.source.starts >= 2)
  }

  @Test func `a dismissed need of a calibration is not repeated`() {
    let scene = HeadingScene()
    scene.service.listen(.session(1), HeadingRequest())
    scene.run(1)
    _ = scene.drain()
    scene.service.dismissCalibration(.session(1))
    guard case .calibration(.session(1), let status)? = scene.drain().first else {
      Issue.record("no status")
      return
    }
    #expect(status.isNeeded == false)
    scene.run(5, tumbling: true)
    #expect(!scene.drain().contains { if case .calibration = $0 { true } else { false } })
  }

  @Test func `a stored calibration is used after a check, and one that contradicts the field is not`() {
    let first = HeadingScene()
    first.service.listen(.session(1), HeadingRequest())
    first.calibrate()
    first.service.end(.session(1))
    #expect(first.file.stored.map(\.device) == ["chip 1-000c"])

    let second = HeadingScene(first.file)
    second.device.lay(heading: 45)
    second.service.listen(.session(1), HeadingRequest(filter: 0))
    second.run(2)
    #expect(second.drainUpdates().last?.hasDirection == true)

    let changed = HeadingScene(first.file)
    changed.device.bias += [0, 0, 12]
    changed.service.listen(.session(1), HeadingRequest(filter: 0))
    changed.run(5)
    let outputs = changed.drain()
    #expect(!outputs.contains { if case .update(_, let update) = $0 { update.hasDirection } else { false } })
    #expect(outputs.contains { if case .calibration(_, let status) = $0 { status.isNeeded == true } else { false } })
  }

  @Test func `clients have their own orientation`() throws {
    let scene = HeadingScene()
    scene.service.listen(.session(1), HeadingRequest(filter: 0))
    scene.calibrate()
    scene.service.listen(.session(2), HeadingRequest(filter: 0, orientation: .landscapeLeft))
    _ = scene.drain()
    scene.run(1)
    var last: [HeadingService.Client: Double] = [:]
    for case .update(let client, let update) in scene.drain() { last[client] = update.magneticHeading }
    let turn = try #require(last[.session(2)]) - (try #require(last[.session(1)]))
    #expect(abs(turn - 90) < 1)
  }

  @Test func `the true heading of a device at rest follows the first location`() throws {
    let scene = HeadingScene()
    scene.service.listen(.session(1), HeadingRequest(filter: 5))
    scene.calibrate()
    #expect(scene.drainUpdates().last?.trueHeading == nil)
    scene.service.take(try scene.location())
    scene.run(1)
    let update = try #require(scene.drainUpdates().last)
    #expect(update.magneticHeading != nil && update.trueHeading != nil)
  }

  @Test func `a resting sensor without a calibration reports its field after each return, and each loss is reported`() {
    let scene = HeadingScene()
    scene.service.listen(.session(1), HeadingRequest())
    scene.run(1)
    for _ in 1...2 {
      _ = scene.drain()
      scene.source.vanish()
      scene.scheduler.settle()
      #expect(scene.drain().count { if case .failed = $0 { true } else { false } } == 1)
      scene.source.isPresent = true
      scene.scheduler.advance(by: .seconds(3))
      scene.run(1)
      #expect(!scene.drainUpdates().isEmpty)
    }
  }

  @Test func `the need of a calibration ends with its sensor, and begins again with its return`() {
    let scene = HeadingScene()
    scene.service.listen(.session(1), HeadingRequest())
    scene.run(1)
    #expect(scene.drainNeeds() == [true])
    scene.source.vanish()
    scene.scheduler.settle()
    #expect(scene.drainNeeds() == [false])
    scene.source.isPresent = true
    scene.scheduler.advance(by: .seconds(3))
    scene.run(1)
    #expect(scene.source.starts >= 2)
    #expect(scene.drainNeeds() == [true])
  }

  @Test func `a dismissed need of a calibration is not repeated after a new start of its sensor`() {
    let scene = HeadingScene()
    scene.service.listen(.session(1), HeadingRequest())
    scene.run(1)
    scene.service.dismissCalibration(.session(1))
    _ = scene.drain()
    scene.scheduler.advance(by: .seconds(6))
    scene.run(1)
    #expect(scene.source.starts >= 2)
    #expect(scene.drainNeeds() == [])
  }

  @Test func `a replaced request keeps the dismissal of a calibration`() {
    let scene = HeadingScene()
    scene.service.listen(.session(1), HeadingRequest())
    scene.run(1)
    scene.service.dismissCalibration(.session(1))
    _ = scene.drain()
    scene.service.listen(.session(1), HeadingRequest(filter: 2))
    scene.run(5, tumbling: true)
    #expect(!scene.drain().contains { if case .calibration = $0 { true } else { false } })
  }

  @Test func `a preferred sensor that fails again and again interrupts another one more and more rarely`() throws {
    let scheduler = ManualScheduler()
    let (preferred, other) = (FakeHeadingSource(), FakeHeadingSource())
    preferred.isPresent = false
    let service = HeadingService(scheduler, [preferred, other], FakeLocations(scheduler), nil, log: LogLines().logger)
    service.listen(.session(1), HeadingRequest())
    let reading = try #require(HeadingReading(trueHeading: 90))
    for second in 0..<3600 {
      scheduler.advance(by: .seconds(1))
      if preferred.isOn {
        preferred.vanish()
        scheduler.settle()
      } else if second.isMultiple(of: 5) {
        preferred.isPresent = true
      }
      if other.isOn { other.onMeasurement(.heading(reading), scheduler.now) }
    }
    #expect((2...40).contains(preferred.starts))
  }

  @Test func `a client that follows travel gets no report of a failing sensor while there is a course`() throws {
    let scene = HeadingScene()
    scene.service.listen(.session(1), HeadingRequest(followsTravel: true))
    for second in 0..<60 {
      scene.scheduler.advance(by: .seconds(1))
      scene.service.take(try scene.location(speed: 20, course: 45))
      if second == 10 { _ = scene.drain() }
    }
    let outputs = scene.drain()
    #expect(!outputs.contains { if case .failed = $0 { true } else { false } })
  }

  @Test func `the end of the service switches the source off`() {
    let scene = HeadingScene()
    scene.service.listen(.session(1), HeadingRequest())
    scene.run(1)
    scene.service.end()
    #expect(!scene.source.isOn && scene.locations.requests.last == .some(nil))
  }
}

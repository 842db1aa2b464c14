import Geodesy
import Instants
import LocationArbitration
import Locations
import Motion
import Logging
import Records
import TestSupport
import Testing

@testable import Positioning

@Suite struct PositioningServiceTests {
  private let scheduler = ManualScheduler()
  private let satellites = FakeSource.satellites
  private let network = FakeSource.network
  private let motion = FakeMotion()
  private let lines = LogLines()

  private func service(_ sources: [FakeSource], speed: Double = 1) -> PositioningService {
    PositioningService(scheduler, sources, FakeClock(scheduler, speed: speed), motion, log: lines.logger)
  }

  /// Returns the outputs of a service from now on, as text.
  private func outputs(of service: PositioningService) -> Outputs {
    let outputs = Outputs()
    service.onOutput = { outputs.all.append($0) }
    return outputs
  }

  private final class Outputs {
    var all: [Locator.Output] = []
    var latitudes: [Double] {
      all.compactMap { if case .update(_, let location) = $0 { location.coordinate.latitude } else { nil } }
    }
    var unknowns: Int { all.count { if case .unknown = $0 { true } else { false } } }
  }

  @Test func `a source is on only while a subscriber needs it`() throws {
    let service = service([satellites, network])
    #expect(satellites.started == nil && network.started == nil)
    service.listen(.client(1), LocationRequest(accuracy: .best))
    #expect(satellites.started == .best && network.started == nil)
    service.end(.client(1))
    #expect(satellites.started == nil)
    #expect(service.switches.map(\.isOn) == [true, false])
  }

  @Test func `a source that stays on gets a changed accuracy`() {
    let service = service([satellites])
    service.listen(.client(1), LocationRequest(accuracy: .best))
    service.listen(.client(2), LocationRequest(accuracy: .hundredMeters))
    #expect(satellites.started == .best)
    service.end(.client(1))
    #expect(satellites.started == .hundredMeters)
  }

  @Test func `another source supplies the location while one is unavailable, and the first takes over when it returns`() throws {
    let service = service([satellites, network])
    let outputs = outputs(of: service)
    service.listen(.client(1), LocationRequest(accuracy: .best))
    satellites.report(.fixing)
    try satellites.fix(at: scheduler.now, latitude: 10)
    satellites.report(.gone, "unplugged")
    #expect(network.started == nil)
    scheduler.settle()
    // The first source stays on, so that it can recover.
    #expect(satellites.started == .best && network.started == .best)
    scheduler.advance(by: .seconds(60))
    try network.fix(at: scheduler.now, latitude: 20, accuracy: 50)
    satellites.report(.starting)
    scheduler.advance(by: .seconds(1))
    try satellites.fix(at: scheduler.now, latitude: 30)
    #expect(outputs.latitudes == [10, 20, 30])
    #expect(service.location?.source == .gpsd)
  }

  @Test func `a satellite receiver without reception is supplemented after half a minute`() {
    let service = service([satellites, network])
    service.listen(.client(1), LocationRequest(accuracy: .best))
    scheduler.advance(by: .seconds(29))
    #expect(network.started == nil)
    scheduler.advance(by: .seconds(1))
    #expect(network.started == .best && satellites.started == .best)
  }

  @Test func `deadlines during a recording follow its speed`() {
    let service = service([satellites, network], speed: 10)
    service.listen(.client(1), LocationRequest(accuracy: .best))
    scheduler.advance(by: .seconds(2.9))
    #expect(network.started == nil)
    scheduler.advance(by: .seconds(0.2))
    #expect(network.started == .best)
  }

  @Test func `a lost fix is reported once, at growing intervals`() throws {
    let service = service([satellites])
    let outputs = outputs(of: service)
    service.listen(.client(1), LocationRequest(accuracy: .best))
    scheduler.advance(by: .seconds(200))
    // After 30, 30 + 60 and 30 + 60 + 120 seconds.
    #expect(outputs.unknowns == 2)
    scheduler.advance(by: .seconds(10))
    #expect(outputs.unknowns == 3)
  }

  @Test func `a replaced source is stopped, its late reports are ignored, and the new one is started`() throws {
    let service = service([satellites])
    var changes = 0
    service.onSourcesChange = { changes += 1 }
    service.listen(.client(1), LocationRequest(accuracy: .best))
    try satellites.fix(at: scheduler.now)
    satellites.report(.gone, "unplugged")
    let other = FakeSource.satellites
    service.replaceSources([other])
    scheduler.settle()
    #expect(changes == 1 && satellites.started == nil && other.started == .best && service.location == nil)
    service.replaceSources([])
    #expect(!service.hasSources && other.started == nil)
  }

  @Test func `a search ends with the best fix before its timeout`() throws {
    let service = service([network])
    let outputs = outputs(of: service)
    service.search(.client(7), .best, timeout: .seconds(20))
    scheduler.advance(by: .seconds(5))
    try network.fix(at: scheduler.now, latitude: 20, accuracy: 120)
    #expect(!outputs.all.contains { if case .found = $0 { true } else { false } })
    scheduler.advance(by: .seconds(15))
    guard case .found(.client(7), let found) = outputs.all.last else { return #expect(Bool(false), "\(outputs.all)") }
    #expect(found?.coordinate.latitude == 20 && network.started == nil)
  }

  @Test func `the motion sensor is on only while a distance filter makes rest matter`() throws {
    let service = service([satellites])
    service.listen(.client(1), LocationRequest(accuracy: .best))
    try satellites.fix(at: scheduler.now)
    #expect(!motion.isOn)
    service.listen(.client(1), LocationRequest(accuracy: .best, distanceFilter: 10))
    #expect(motion.isOn)
    service.end(.client(1))
    #expect(!motion.isOn)
  }

  /// Sends a second of samples of a device at rest.
  private func rest(seconds: Int) {
    for _ in 0..<seconds {
      scheduler.advance(by: .seconds(1))
      motion.onSamples((0..<5).map { MotionSample(.acceleration([0, 0, 9.8]), at: scheduler.now - .milliseconds(Int64(800 - $0 * 200))) })
    }
  }

  @Test func `the motion sensors are on while the position in a venue needs them, and their motion is unknown afterwards`() {
    let service = service([])
    var motions: [DeviceMotion] = []
    service.onMotion = { motions.append($0) }
    #expect(!motion.isOn)
    service.setMotion(true, for: .venue)
    #expect(motion.isOn)
    rest(seconds: 6)
    #expect(motions == [DeviceMotion(.still)] && service.motion.activity == .still)
    service.setMotion(false, for: .venue)
    #expect(!motion.isOn && motions == [DeviceMotion(.still), .unknown])
  }

  @Test func `sensors that fall silent leave no motion behind, and a sleep of the machine ends rest`() {
    let clock = SleepingClock(scheduler)
    let service = PositioningService(scheduler, [], clock, motion, log: lines.logger)
    var motions: [DeviceMotion] = []
    service.onMotion = { motions.append($0) }
    service.setMotion(true, for: .venue)
    rest(seconds: 6)
    scheduler.advance(by: .seconds(2))
    #expect(motions == [DeviceMotion(.still)])
    scheduler.advance(by: .seconds(1))
    #expect(motions == [DeviceMotion(.still), .unknown])
    rest(seconds: 6)
    #expect(service.motion.activity == .still)
    clock.slept = .seconds(60)
    rest(seconds: 1)
    #expect(service.motion == .unknown)
  }

  @Test func `after a sleep of the machine its motion is unknown before the sensors have measured again`() throws {
    let clock = SleepingClock(scheduler)
    let service = PositioningService(scheduler, [satellites], clock, motion, log: lines.logger)
    var motions: [DeviceMotion] = []
    service.onMotion = { motions.append($0) }
    service.setMotion(true, for: .guidance)
    rest(seconds: 6)
    #expect(service.motion.activity == .still)
    clock.slept = .seconds(2)
    #expect(service.motion == .unknown)
    // The first location reports it.
    try satellites.fix(at: clock.now)
    #expect(motions == [DeviceMotion(.still), .unknown])
    rest(seconds: 6)
    #expect(service.motion.activity == .still && motions.count == 3)
  }

  @Test func `the motion sensors are on while one of several uses needs them`() {
    let service = service([])
    service.setMotion(true, for: .venue)
    service.setMotion(true, for: .guidance)
    service.setMotion(false, for: .venue)
    #expect(motion.isOn)
    service.setMotion(false, for: .guidance)
    #expect(!motion.isOn)
  }

  @Test(arguments: [true, false]) func `the motion of a recording lasts until the next one, and holds recorded fixes of a resting device`(
    isRecorded: Bool
  ) throws {
    let satellites = FakeSource(.gpsd, typicalAccuracy: 5, cost: .high, isRecorded: isRecorded)
    let service = PositioningService(scheduler, [satellites], FakeClock(scheduler, speed: 1), nil, log: lines.logger)
    var motions: [DeviceMotion] = []
    service.onMotion = { motions.append($0) }
    let outputs = outputs(of: service)
    service.listen(.client(1), LocationRequest(accuracy: .best, distanceFilter: 10))
    func stray() throws {
      for step in 0..<40 {
        scheduler.advance(by: .seconds(1))
        // Twenty metres in eight seconds, as positions indoors stray.
        try satellites.fix(at: scheduler.now, latitude: 10 + Double(min(8, step)) * 2.5 / 111_200)
      }
    }
    service.take(recorded: DeviceMotion(.still))
    try stray()
    #expect(service.motion.activity == .still && motions == [DeviceMotion(.still)])
    // A live fix is that of another device.
    guard isRecorded else {
      #expect(outputs.latitudes.count > 1)
      return
    }
    #expect(outputs.latitudes.count == 1)
    service.take(recorded: DeviceMotion(.walking, cadence: 1.8))
    scheduler.advance(by: .seconds(1))
    try satellites.fix(at: scheduler.now, latitude: 10 + 20 / 111_200)
    #expect(motions.count == 2 && outputs.latitudes.count == 2)
  }

  /// A clock that continues while the machine sleeps.
  private final class SleepingClock: LocationClock {
    let speed = 1.0
    var slept = Span.zero
    private let scheduler: ManualScheduler

    init(_ scheduler: ManualScheduler) { self.scheduler = scheduler }

    var now: Instant { scheduler.now + slept }
    func wallClock(_ instant: Instant) -> Instant { scheduler.wallClock - (now - instant) }
  }

  @Test func `headings show turns while the motion sensors are on, and wake nothing while they are off`() {
    let service = service([])
    service.take(heading: 10, accuracy: 1, at: scheduler.now)
    #expect(!motion.isOn)
    service.setMotion(true, for: .venue)
    rest(seconds: 6)
    #expect(service.motion.activity == .still)
    for heading in [10.0, 40] {
      service.take(heading: heading, accuracy: 1, at: scheduler.now)
      rest(seconds: 1)
    }
    #expect(service.motion.activity == .moving)
  }

  @Test func `the log has one line for each change of a source, and none for satellites or switches`() {
    let service = service([satellites])
    service.listen(.client(1), LocationRequest(accuracy: .best))
    satellites.report(.starting)
    satellites.report(.silent, "3 of 7 satellites")
    satellites.report(.silent, "4 of 7 satellites")
    satellites.report(.fixing)
    satellites.report(.off)
    satellites.report(.fixing)
    satellites.report(.gone, "unplugged")
    #expect(lines.all == ["gpsd: 3 of 7 satellites", "gpsd provides the location of this device", "gpsd: unplugged"])
  }

  @Test func `late fixes are counted separately`() throws {
    let service = service([satellites])
    service.listen(.client(1), LocationRequest(accuracy: .best))
    try satellites.fix(at: scheduler.now)
    try satellites.fix(at: scheduler.now - .seconds(5))
    satellites.counts.fixes = 2
    let status = try #require(service.sources.first)
    #expect(status.fixes == 1 && status.refused == ["late": 1])
  }
}

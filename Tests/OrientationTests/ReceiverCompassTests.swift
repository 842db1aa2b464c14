import Headings
import Instants
import LocationArbitration
import Locations
import Orientation
import Positioning
import TestSupport
import Testing

/// A receiver whose compass a test points.
private final class FakeReceiver: CompassSource {
  let ability: SourceAbility
  let health = LocationHealth(.off)
  let counts = LocationCounts()
  let heading: HeadingReport? = nil
  var onLocation: (Location) -> Void = { _ in }
  var onHealthChange: (LocationHealth) -> Void = { _ in }
  var onHeading: (HeadingReading) -> Void = { _ in }
  private(set) var isOn = false

  init(_ source: Location.Source) { ability = SourceAbility(source, typicalAccuracy: 5, cost: .high) }

  func start(for accuracy: DesiredAccuracy) { isOn = true }
  func stop() { isOn = false }
}

private final class MachineClock: LocationClock {
  private let scheduler: ManualScheduler
  let speed = 1.0

  init(_ scheduler: ManualScheduler) { self.scheduler = scheduler }
  var now: Instant { scheduler.now }
  func wallClock(_ instant: Instant) -> Instant { scheduler.wallClock - (now - instant) }
}

@Suite struct ReceiverCompassTests {
  private let scheduler = ManualScheduler()
  private let receivers = [FakeReceiver(Location.Source("gpsd")), FakeReceiver(Location.Source("nmea"))]
  private let positioning: PositioningService
  private let ninety: HeadingReading
  private let south: HeadingReading

  init() throws {
    positioning = PositioningService(scheduler, receivers, MachineClock(scheduler), nil, log: LogLines().logger)
    ninety = try #require(HeadingReading(trueHeading: 90))
    south = try #require(HeadingReading(trueHeading: 180))
  }

  private func compass(isConfigured: Bool = false) -> ReceiverCompass {
    ReceiverCompass(positioning, isConfigured: isConfigured, scheduler)
  }

  @Test func `a compass that may exist is searched for on request, and present after its first heading`() {
    let compass = compass()
    #expect(!compass.isPresent && compass.isPossible)
    compass.start()
    #expect(compass.health.state == .starting && receivers.allSatisfy(\.isOn) && compass.patience == .seconds(30))
    var headings: [HeadingMeasurement] = []
    compass.onMeasurement = { measurement, _ in headings.append(measurement) }
    receivers[0].onHeading(ninety)
    #expect(headings == [.heading(ninety)] && compass.isPresent && compass.name == "gpsd")
    #expect(compass.health.state == .measuring && compass.counts.samples == 1 && compass.patience == .seconds(10))
    compass.stop()
    #expect(receivers.allSatisfy { !$0.isOn } && compass.isPresent && compass.health.state == .off)
  }

  @Test func `the directions of two compasses are not mixed, until the first is silent`() {
    let compass = compass(isConfigured: true)
    var headings: [HeadingMeasurement] = []
    compass.onMeasurement = { measurement, _ in headings.append(measurement) }
    compass.start()
    receivers[0].onHeading(ninety)
    receivers[1].onHeading(south)
    #expect(headings == [.heading(ninety)])
    scheduler.advance(by: .seconds(11))
    receivers[1].onHeading(south)
    #expect(headings == [.heading(ninety), .heading(south)] && compass.name == "nmea")
  }

  @Test func `after a search without a heading, the compass is not possible for ten minutes, whose end is reported`() {
    let compass = compass()
    var changes = 0
    compass.onHealthChange = { changes += 1 }
    compass.start()
    scheduler.advance(by: .seconds(30))
    compass.stop()
    #expect(!compass.isPossible && !compass.isPresent && changes == 0)
    scheduler.advance(by: .seconds(599))
    #expect(!compass.isPossible && changes == 0)
    scheduler.advance(by: .seconds(1))
    #expect(compass.isPossible && changes == 1)
  }

  @Test func `a heading that arrives for another reason makes the compass present, and is not delivered`() {
    let compass = compass()
    var (headings, changes) = (0, 0)
    compass.onMeasurement = { _, _ in headings += 1 }
    compass.onHealthChange = { changes += 1 }
    receivers[1].onHeading(south)
    receivers[1].onHeading(south)
    #expect(compass.isPresent && headings == 0 && changes == 1)
  }

  @Test func `a configured compass is present before its first heading, and without a receiver none is`() {
    #expect(compass(isConfigured: true).isPresent)
    let alone = PositioningService(scheduler, [], MachineClock(scheduler), nil, log: LogLines().logger)
    let compass = ReceiverCompass(alone, isConfigured: true, scheduler)
    #expect(!compass.isPresent && !compass.isPossible)
  }

  @Test func `a request finds a compass that was not heard before, and one without is refused only after the search`() throws {
    let compass = compass()
    let locations = FakeLocations(scheduler)
    let service = HeadingService(scheduler, [compass], locations, nil, log: LogLines().logger)
    #expect(service.obstacle != nil && service.requestObstacle == nil)
    var outputs: [HeadingService.Output] = []
    service.onOutput = { outputs.append($0) }
    var changes = 0
    service.onAvailabilityChange = { changes += 1 }
    service.listen(.session(1), HeadingRequest())
    scheduler.advance(by: .seconds(40))
    #expect(outputs.contains { if case .failed(.session(1), let failure) = $0 { failure.reason == .unavailable } else { false } })
    service.end(.session(1))
    #expect(service.requestObstacle != nil)
    let before = changes
    scheduler.advance(by: .seconds(600))
    #expect(service.requestObstacle == nil && changes > before)
    service.listen(.session(1), HeadingRequest())
    receivers[0].onHeading(ninety)
    guard case .update(.session(1), let update)? = outputs.last else { return #expect(Bool(false), "\(outputs)") }
    #expect(update.trueHeading == 90 && update.accuracy == nil && update.source == "gpsd")
  }
}

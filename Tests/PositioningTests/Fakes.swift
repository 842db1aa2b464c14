import Instants
import LocationArbitration
import Locations
import Motion
import Positioning
import TestSupport
import Testing

/// A source whose fixes and health a test sets.
final class FakeSource: LocationSource {
  let ability: SourceAbility
  var health = LocationHealth(.off)
  var counts = LocationCounts()
  var heading: HeadingReport?
  var onLocation: (Location) -> Void = { _ in }
  var onHealthChange: (LocationHealth) -> Void = { _ in }
  /// The accuracy that the source was last started for; nil while it is off.
  private(set) var started: DesiredAccuracy?

  init(_ source: Location.Source, typicalAccuracy: Double, cost: SourceAbility.Cost, isRecorded: Bool = false) {
    ability = SourceAbility(source, typicalAccuracy: typicalAccuracy, cost: cost, followsRecording: isRecorded)
  }

  static var satellites: FakeSource { FakeSource(.gpsd, typicalAccuracy: 5, cost: .high) }
  static var network: FakeSource { FakeSource(.geoClue, typicalAccuracy: 50, cost: .low) }

  func start(for accuracy: DesiredAccuracy) { started = accuracy }
  func stop() { started = nil }

  func report(_ state: LocationHealth.State, _ reason: String? = nil) {
    health = LocationHealth(state, reason)
    onHealthChange(health)
  }

  /// Reports a fix that is measured at `time`.
  func fix(at time: Instant, latitude: Double = 52.52, accuracy: Double = 5) throws {
    let reading = LocationReading(latitude: latitude, longitude: 13.405, horizontalAccuracy: accuracy)
    onLocation(try Location(reading, from: ability.source, at: Receipt(recorded: time)))
  }
}

/// The scheduler's clock at another speed.
final class FakeClock: LocationClock {
  let speed: Double
  private let scheduler: ManualScheduler
  private let start: Instant

  init(_ scheduler: ManualScheduler, speed: Double = 1) {
    self.scheduler = scheduler
    self.speed = speed
    start = scheduler.now
  }

  var now: Instant { start + (scheduler.now - start) * speed }
  func wallClock(_ instant: Instant) -> Instant { scheduler.wallClock - (now - instant) }
}

final class FakeMotion: MotionSensors {
  var onSamples: ([MotionSample]) -> Void = { _ in }
  var isOn = false
}

extension Location.Source {
  static let gpsd = Location.Source("gpsd")
  static let geoClue = Location.Source("geoClue", lifetime: .seconds(300), isSteady: false)
}

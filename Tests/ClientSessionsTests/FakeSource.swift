import Instants
import LocationArbitration
import Locations
import Positioning
import TestSupport

/// A source of locations whose fixes and health a test sets.
final class FakeSource: LocationSource {
  let ability = SourceAbility(Location.Source("gpsd"), typicalAccuracy: 5, cost: .high)
  var health = LocationHealth(.off)
  let counts = LocationCounts()
  let heading: HeadingReport? = nil
  var onLocation: (Location) -> Void = { _ in }
  var onHealthChange: (LocationHealth) -> Void = { _ in }
  private(set) var isOn = false

  func start(for accuracy: DesiredAccuracy) { isOn = true }
  func stop() { isOn = false }

  func report(_ state: LocationHealth.State, _ reason: String? = nil) {
    health = LocationHealth(state, reason)
    onHealthChange(health)
  }

  func fix(_ latitude: Double, accuracy: Double = 5, at time: Instant) throws {
    onLocation(try Location.at(latitude, accuracy: accuracy, from: ability.source, time))
  }
}

extension Location {
  static func at(_ latitude: Double, accuracy: Double? = 5, from source: Source, _ time: Instant) throws -> Location {
    try Location(
      LocationReading(latitude: latitude, longitude: 13.405, horizontalAccuracy: accuracy), from: source, at: Receipt(recorded: time))
  }
}

/// The scheduler's clock.
final class FakeClock: LocationClock {
  let speed = 1.0
  private let scheduler: ManualScheduler

  init(_ scheduler: ManualScheduler) { self.scheduler = scheduler }
  var now: Instant { scheduler.now }
  func wallClock(_ instant: Instant) -> Instant { scheduler.wallClock - (now - instant) }
}

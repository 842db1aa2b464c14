import Instants
import LocationArbitration
import Locations

// MARK: Status

extension PositioningService {
  /// The time on the clock of `Location.received`.
  public var now: Instant { clock.now }

  /// True if a source is configured that may supply the device's location.
  public var hasSources: Bool { !all.isEmpty }

  /// The device's location; nil while it is unknown.
  public var location: Location? { locator.location(at: clock.now) }

  /// The health and the counts of each source.
  public var sources: [LocationSourceStatus] {
    all.enumerated().map { index, source in
      var counts = source.counts
      counts.late = locator.lateFixes(of: index)
      counts.fixes -= counts.late
      return LocationSourceStatus(
        source.ability.source, source.health, isOn: locator.wanted.contains(index), counts, heading: source.heading)
    }
  }

  /// The latest switches of sources on and off, with their reasons; the latest last.
  public var switches: [LocationSwitch] {
    locator.switches.map { change in
      LocationSwitch(
        time: clock.wallClock(change.time), source: change.source.name, isOn: change.isOn, reason: change.cause.description)
    }
  }
}

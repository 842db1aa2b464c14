import Instants
import LocationArbitration
import Locations

extension PositioningService {
  /// The time on the clock of `Location.received`.
  public var now: Instant { clock.now }

  /// True if a source is configured that may supply the device's location.
  public var hasSources: Bool { !all.isEmpty }

  /// The reason why the location is unknown, with the note of each source.
  public var unknownReason: String {
    let words = "no source has a fix"
    let notes = sources.compactMap { source in source.note.map { "\(source.source ?? "?"): \($0)" } }
    return notes.isEmpty ? "\(words); see \"beaconmon status\"" : "\(words): \(notes.joined(separator: "; "))"
  }

  /// True if a receiver is configured that may have a compass.
  public var hasReceivers: Bool { all.contains { $0 is any CompassSource } }

  /// The device's location; nil while it is unknown.
  public var location: Location? { locator.location(at: clock.now) }

  /// The health and the counts of each source.
  public var sources: [LocationSourceStatus] { statuses { _ in true } }

  /// The health and the counts of each source with a satellite receiver, or with a recording or a simulation of one.
  public var satelliteReceivers: [LocationSourceStatus] { statuses { $0.isSatelliteReceiver } }

  private func statuses(of isWanted: (SourceAbility) -> Bool) -> [LocationSourceStatus] {
    all.enumerated().filter { isWanted($1.ability) }.map { index, source in
      var counts = source.counts
      counts.late = locator.lateFixes(of: index)
      counts.fixes -= counts.late
      return LocationSourceStatus(
        source.ability.source, source.health, isOn: on.contains(index), counts, heading: source.heading)
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

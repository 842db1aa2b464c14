import Instants
import Locating
import Locations
import Records

// MARK: Status

extension PositioningService {
  /// The time on the clock of `Location.received`.
  public var now: Instant { clock.now }

  /// True if a source is configured that may supply the device's location.
  public var hasSources: Bool { !all.isEmpty }

  /// The device's location; nil while it is unknown.
  public var location: Location? { locator.location(at: clock.now) }

  /// The health of each source: `source`, `state`, `isOn`, and optional details.
  public var sources: [Record] {
    all.enumerated().map { index, source in
      var record = Record([
        "source": .text(source.ability.source.name), "state": .text(source.health.state.rawValue),
        "isOn": .flag(locator.wanted.contains(index)), "note": source.health.words.map { .text($0) },
      ])
      var counts = source.counts
      counts.late = locator.lateFixes(of: index)
      counts.fixes -= counts.late
      for (key, value) in counts.record.fields { record.append(key, value) }
      record.append("heading", source.heading.map { .record($0) })
      return record
    }
  }

  /// The latest switches of sources on and off, with their reasons; the latest last.
  public var switches: [Record] {
    locator.switches.map { change in
      Record([
        "time": .time(clock.wallClock(change.time)), "source": .text(change.source.name), "isOn": .flag(change.isOn),
        "reason": .text(change.cause.description),
      ])
    }
  }
}

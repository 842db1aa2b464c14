import Beacons
import Instants
import Ranging
import Regions

extension ProximityEngine {
  /// Returns the events since the last call in chronological order.
  /// They are numbered for each owner; the apps of a user share one sequence.
  public mutating func drainEvents() -> [RegionEvent] {
    // The first fix causes an event for every circle; the memory for these is not needed again.
    defer { transitions.removeAll(keepingCapacity: transitions.count <= Self.usualTransitions) }
    return transitions.map { transition in
      RegionEvent(sequence: Self.successor(&sequences[transition.region.owner.row, default: 0]), transition: transition)
    }
  }

  private static let usualTransitions = 64

  private static func successor(_ number: inout UInt64) -> UInt64 {
    number += 1
    return number
  }

  /// Returns the number of an event that is at no region, in the sequence of the config's regions.
  public mutating func takeSequence() -> UInt64 { Self.successor(&sequences[.config, default: 0]) }

  /// Sets the sequence of the last event of `owner`; the next event has the next number. See `RegionOwner.user`.
  public mutating func setLastSequence(_ sequence: UInt64, of owner: RegionOwner) {
    sequences[owner] = sequence
  }

  /// A time not later than the next change by `advance(to:)`; `.never` while time changes nothing.
  public var nextDeadline: Instant { regions.nextDeadline }

  /// The watches of all owners.
  public var watches: [RegionWatch] { regions.watches }

  public func watches(of owner: RegionOwner) -> [RegionWatch] { regions.watches(of: owner) }

  public func watch(_ identifier: String, of owner: RegionOwner = .config) -> RegionWatch? { regions[identifier, of: owner] }

  /// The last fix; `nil` if there was none or it has expired.
  public var lastFix: Fix? { regions.lastFix }

  /// The accuracy, one sigma in metres, that the monitored circles need; `nil` if there are none.
  public var wantedAccuracy: Double? { regions.smallestRadius.map { $0 / 2 } }

  /// Whether beacons are worth scanning for.
  /// False while the device is far from every circle that gates scanning and no visitor is inside a beacon region.
  public var isScanWorthwhile: Bool { regions.isScanWorthwhile }

  public var regionCount: Int { regions.count }

  /// The number of beacon regions.
  public var beaconRegionCount: Int { regions.beaconRegionCount }

  /// The areas of venues that regions monitor.
  public var areas: Set<VenueArea> { regions.areas }

  public func watches(where condition: (BeaconRegion) -> Bool) -> Bool { regions.contains(where: condition) }

  /// The ranged constraints that need the scan.
  public var demandedConstraints: some Collection<BeaconConstraint> { ranging.keys }

  /// The number of beacons that the engine keeps.
  public var beaconCount: Int { heard.entries.count }

  /// Returns the beacons of `constraint` at `time`, nearest first, those of unknown distance last.
  public func snapshot(of constraint: BeaconConstraint, at time: Instant) -> [RangedBeacon] {
    heard.entries
      .filter { constraint.contains($0.track.beacon) }
      .compactMap { RangedBeacon($0.track, at: time) }
      .sorted(by: RangedBeacon.precedes)
  }
}

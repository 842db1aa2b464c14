import Beacons
import Instants
import Ranging

/// The nearest beacon among the regions of each owner that has regions which only the nearest beacon enters.
///
/// Owners are apart, so that a client's regions have no effect on those of the config or of another client.
struct NearestBeacons: Sendable {
  private struct Entry {
    var regions = 0
    var nearest = NearestBeacon()
  }

  /// The share of a distance below which another beacon is clearly nearer.
  static let clearShare = 0.8

  private var owners: [RegionOwner: Entry] = [:]
  /// Whether there is such a region.
  private(set) var isNeeded = false

  mutating func add(_ region: BeaconRegion) {
    guard region.nearness?.isNearestOnly == true else { return }
    owners[region.owner, default: Entry()].regions += 1
    isNeeded = true
  }

  mutating func remove(_ region: BeaconRegion) {
    guard region.nearness?.isNearestOnly == true, var entry = owners[region.owner] else { return }
    entry.regions -= 1
    owners[region.owner] = entry.regions > 0 ? entry : nil
    isNeeded = !owners.isEmpty
  }

  /// Forgets all sightings.
  mutating func restart() {
    for owner in owners.keys { owners[owner]?.nearest = NearestBeacon() }
  }

  /// Applies a sighting of a beacon that a region of this owner has.
  mutating func note(_ track: inout BeaconTrack, of owner: RegionOwner) {
    owners[owner]?.nearest.note(&track)
  }

  /// Returns whether a beacon at `distance` may enter its region.
  func permits(_ region: BeaconRegion, at distance: Distance) -> Bool {
    owners[region.owner]?.nearest.permits(region.constraint, at: distance) ?? true
  }
}

/// The nearest beacon by the sightings so far.
///
/// A beacon takes over with its own next sighting, so that noting a sighting costs the same however many beacons there are. Distances are
/// those by path loss alone, which cost nothing more.
private struct NearestBeacon: Sendable {
  private var beacon: BeaconIdentity?
  private var distance: Distance?
  private var lastSeen = Instant.never

  mutating func note(_ track: inout BeaconTrack) {
    let time = track.lastSeen
    guard beacon != track.beacon else {
      (distance, lastSeen) = (track.distance, time)
      return
    }
    guard let next = track.distance else { return }
    if let distance, time - lastSeen < RangedBeacon.unknownAfter, distance <= next { return }
    (beacon, distance, lastSeen) = (track.beacon, next, time)
  }

  /// Returns whether a beacon of this constraint at `distance` may enter its region.
  /// Two beacons at one place are equally near, so another one must be clearly nearer to prevent it.
  func permits(_ constraint: BeaconConstraint, at distance: Distance) -> Bool {
    guard let beacon, let shortest = self.distance, !constraint.contains(beacon) else { return true }
    return !shortest.isClearlyBelow(distance)
  }
}

import BeaconAdvertising
import Instants
import Ranging
import Regions

/// The beacons that were heard and that somebody is interested in.
///
/// Bounded: whatever is in the air, there are never more than `capacity`; the one that was silent longest makes room.
struct HeardBeacons: Sendable {
  let capacity: Int
  var entries: ContiguousArray<HeardBeacon> = []
  private var indices: [BeaconIdentity: Int] = [:]

  init(capacity: Int) {
    self.capacity = capacity
  }

  func index(of beacon: BeaconIdentity) -> Int? { indices[beacon] }

  /// The beacon that has to go before another can be added, nil while there is room.
  mutating func makeRoom() -> HeardBeacon? {
    guard entries.count >= capacity,
      let oldest = entries.indices.min(by: { entries[$0].track.lastSeen < entries[$1].track.lastSeen })
    else { return nil }
    entries.swapAt(oldest, entries.count - 1)
    let removed = entries.removeLast()
    indices[removed.track.beacon] = nil
    if oldest < entries.count { indices[entries[oldest].track.beacon] = oldest }
    return removed
  }

  mutating func append(_ entry: HeardBeacon) {
    indices[entry.track.beacon] = entries.count
    entries.append(entry)
  }

  mutating func removeAll(where isUnwanted: (HeardBeacon) -> Bool) {
    entries.removeAll(where: isUnwanted)
    indices = Dictionary(uniqueKeysWithValues: entries.enumerated().map { ($1.track.beacon, $0) })
  }
}

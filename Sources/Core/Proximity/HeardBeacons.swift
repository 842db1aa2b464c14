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
  private var index = BeaconIndex()

  init(capacity: Int) {
    self.capacity = capacity
  }

  func position(of beacon: BeaconIdentity) -> Int? { index.position(of: beacon) }

  /// The beacon that has to go before another can be added, nil while there is room.
  mutating func makeRoom() -> HeardBeacon? {
    guard entries.count >= capacity,
      let oldest = entries.indices.min(by: { entries[$0].track.lastSeen < entries[$1].track.lastSeen })
    else { return nil }
    entries.swapAt(oldest, entries.count - 1)
    let removed = entries.removeLast()
    index.remove(removed.track.beacon)
    if oldest < entries.count { index.set(oldest, of: entries[oldest].track.beacon) }
    return removed
  }

  mutating func append(_ entry: HeardBeacon) {
    index.set(entries.count, of: entry.track.beacon)
    entries.append(entry)
  }

  mutating func removeAll(where isUnwanted: (HeardBeacon) -> Bool) {
    entries.removeAll(where: isUnwanted)
    index.removeAll()
    for (position, entry) in entries.enumerated() { index.set(position, of: entry.track.beacon) }
  }
}

import Beacons
import Events
import Instants
import Ranging

// MARK: Changing the set. Afterwards, the caller must match every heard beacon again.

extension BeaconTable {
  /// Monitors `region` and replaces the one with the same owner and identifier; see `BeaconWatch.redefined`.
  /// An equal definition changes nothing.
  ///
  /// - Parameter remembered: the last certain state of a region of this name that a circle marked.
  mutating func add(_ region: BeaconRegion, at time: Instant, remembering remembered: RegionState = .unknown) {
    var watch = BeaconWatch(region: region, at: time, reception)
    watch.remember(remembered)
    if let old = self[region.key] {
      guard old.region != region else { return }
      watch = old.redefined(as: region, at: time, reception)
      remove(region.key)
    }
    lastSerial += 1
    nearest.add(region)
    let first = firstSlot(of: region.constraint)
    let slot = place(Slot(serial: lastSerial, next: first.map { Int32($0) } ?? -1, watch: watch))
    byKey.insert(slot, hash: region.key.hashValue, hashOf: keyHash)
    if let first {
      byConstraint.replace(first, by: slot, hash: region.constraint.hashValue)
    } else {
      byConstraint.insert(slot, hash: region.constraint.hashValue, hashOf: constraintHash)
    }
    schedule(slot)
  }

  /// Removes a region and returns its watch, or `nil` if there was none.
  @discardableResult
  mutating func remove(_ key: RegionKey) -> BeaconWatch? {
    guard let slot = slot(of: key) else { return nil }
    nearest.remove(slots[slot].watch.region)
    byKey.remove(slot, hash: key.hashValue, hashOf: keyHash)
    unlink(slot)
    slots[slot].serial = 0
    freeSlots.append(Int32(slot))
    return slots[slot].watch
  }

  /// Reserves exactly the memory that `count` regions need.
  mutating func reserve(_ count: Int) {
    slots.reserveCapacity(count)
    byKey.reserve(count, hashOf: keyHash)
    byConstraint.reserve(count, hashOf: constraintHash)
    deadlines.reserve(count)
  }

  /// Finds the regions that `heard` belongs to. Progress in regions that are unchanged is kept.
  func match(_ heard: inout HeardBeacon) {
    let old = heard.matches
    heard.matches = BeaconConstraint.containing(heard.track.beacon)
      .flatMap { slots(of: $0) }
      .map { HeardBeacon.Match(slot: Int32($0), serial: slots[$0].serial, approach: slots[$0].watch.firstApproach) }
      .sorted { $0.serial < $1.serial }
      .map { new in old.first { $0.serial == new.serial } ?? new }
  }

  /// Restores the saved state of a region; see `BeaconWatch.restore`.
  mutating func restore(
    _ saved: SavedRegion, _ key: RegionKey, isForgotten: Bool, at time: Instant, clock: (Instant) -> Instant,
    into transitions: inout [RegionTransition]
  ) {
    guard let slot = slot(of: key) else { return }
    if let change = slots[slot].watch.restore(saved, isForgotten: isForgotten, at: time, clock: clock) {
      transitions.append(RegionTransition(slots[slot].watch, change))
    }
    schedule(slot)
  }
}

// MARK: Slots

extension BeaconTable {
  func slot(of key: RegionKey) -> Int? {
    byKey.slot(hash: key.hashValue) { slots[$0].watch.region.key == key }
  }

  private func firstSlot(of constraint: BeaconConstraint) -> Int? {
    byConstraint.slot(hash: constraint.hashValue) { slots[$0].watch.region.constraint == constraint }
  }

  private func slots(of constraint: BeaconConstraint) -> [Int] {
    var (found, next) = ([Int](), firstSlot(of: constraint))
    while let slot = next {
      found.append(slot)
      next = slots[slot].next < 0 ? nil : Int(slots[slot].next)
    }
    return found
  }

  private var keyHash: (Int) -> Int { { [slots] in slots[$0].watch.region.key.hashValue } }

  private var constraintHash: (Int) -> Int { { [slots] in slots[$0].watch.region.constraint.hashValue } }

  private mutating func place(_ entry: Slot) -> Int {
    if let free = freeSlots.popLast() {
      slots[Int(free)] = entry
      return Int(free)
    }
    // Grows by a quarter: doubling would waste much memory.
    if slots.count == slots.capacity { slots.reserveCapacity(slots.count + max(16, slots.count / 4)) }
    slots.append(entry)
    return slots.endIndex - 1
  }

  /// Removes a region from the chain of its constraint.
  private mutating func unlink(_ slot: Int) {
    let constraint = slots[slot].watch.region.constraint
    let chain = slots(of: constraint)
    guard let position = chain.firstIndex(of: slot) else { return }
    if position > 0 {
      slots[chain[position - 1]].next = slots[slot].next
    } else if slots[slot].next >= 0 {
      byConstraint.replace(slot, by: Int(slots[slot].next), hash: constraint.hashValue)
    } else {
      byConstraint.remove(slot, hash: constraint.hashValue, hashOf: constraintHash)
    }
  }
}

extension BeaconConstraint {
  /// Returns the three constraints that contain `beacon`, widest first.
  fileprivate static func containing(_ beacon: BeaconIdentity) -> [BeaconConstraint] {
    [
      BeaconConstraint(uuid: beacon.uuid),
      BeaconConstraint(uuid: beacon.uuid, major: beacon.major),
      BeaconConstraint(uuid: beacon.uuid, major: beacon.major, minor: beacon.minor),
    ]
  }
}

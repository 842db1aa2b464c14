import Events
import Geodesy
import Instants

// MARK: Changing the set

extension CircleTable {
  subscript(key: RegionKey) -> CircleWatch? { slot(of: key).map { slots[$0].watch } }

  /// Monitors `region` and replaces the one with the same owner and identifier; see `CircleWatch.redefined`.
  /// An equal definition changes nothing.
  ///
  /// - Parameter remembered: the last certain state of a region of this name that beacons marked.
  mutating func add(_ region: CircularRegion, at time: Instant, remembering remembered: RegionState = .unknown) {
    if let slot = slot(of: region.key) {
      let old = slots[slot].watch
      guard old.region != region else { return }
      remove(region.key, at: time)
      insert(old.redefined(as: region, at: time), at: time)
    } else {
      insert(CircleWatch(region: region, at: time, remembering: remembered), at: time)
    }
  }

  mutating func insert(_ watch: CircleWatch, at time: Instant) {
    let (region, slot) = (watch.region, index.insert(watch.region.circle))
    if slot == slots.endIndex {
      // Grows by a quarter: doubling would waste much memory.
      if slots.count == slots.capacity { slots.reserveCapacity(slots.count + max(16, slots.count / 4)) }
      slots.append(Slot(watch: watch))
    } else {
      slots[slot].watch = watch
      slots[slot].isUsed = true
    }
    byKey.insert(slot, hash: region.key.hashValue, hashOf: keyHash)
    noteRadius(region.circle.radius)
    if region.gate != nil {
      gates += 1
      widestMargin = max(widestMargin, ScanGate.margin(radius: region.circle.radius))
    }
    beginComparing(slot)
    schedule(slot)
    review(at: time)
  }

  /// Schedules a comparison of the last fix with new or remaining circles.
  private mutating func review(at time: Instant) {
    if fixes.last != nil { reviewTime = min(reviewTime, time) }
  }

  /// Removes a region and returns its watch, or `nil` if there was none.
  @discardableResult
  mutating func remove(_ key: RegionKey, at time: Instant) -> CircleWatch? {
    guard let slot = slot(of: key) else { return nil }
    byKey.remove(slot, hash: key.hashValue, hashOf: keyHash)
    index.remove(slot)
    slots[slot].isUsed = false
    if slots[slot].watch.region.gate != nil {
      gates -= 1
      review(at: time)
    }
    if gates == 0 {
      widestMargin = 0
      gate.open()
    }
    forgetRadius(slots[slot].watch.region.circle.radius)
    return slots[slot].watch
  }

  private mutating func noteRadius(_ radius: Double) {
    if radius < smallest { (smallest, smallestCount) = (radius, 0) }
    if radius == smallest { smallestCount += 1 }
  }

  private mutating func forgetRadius(_ radius: Double) {
    guard radius == smallest else { return }
    smallestCount -= 1
    guard smallestCount == 0 else { return }
    smallest = .infinity
    for slot in slots where slot.isUsed { noteRadius(slot.watch.region.circle.radius) }
  }

  mutating func reserve(_ count: Int) {
    slots.reserveCapacity(count)
    byKey.reserve(count, hashOf: keyHash)
    index.reserve(count)
    compared.reserveCapacity(count)
  }

  /// Tidies up after many regions were added or removed.
  mutating func settle() {
    index.settle()
  }

  /// Restarts every region at `time`.
  mutating func start(at time: Instant) {
    let regions = watches.map(\.region)
    self = CircleTable()
    reserve(regions.count)
    for region in regions { add(region, at: time) }
    settle()
  }

  /// Restores the saved state of a region; see `CircleWatch.restore`.
  mutating func restore(
    _ saved: SavedRegion, _ key: RegionKey, isForgotten: Bool, at time: Instant, clock: (Instant) -> Instant,
    into transitions: inout [RegionTransition]
  ) {
    guard let slot = slot(of: key) else { return }
    if let change = slots[slot].watch.restore(saved, isForgotten: isForgotten, at: time, clock: clock) {
      transitions.append(RegionTransition(slots[slot].watch, change, nil))
    }
    beginComparing(slot)
    schedule(slot)
  }

  private func slot(of key: RegionKey) -> Int? {
    byKey.slot(hash: key.hashValue) { slots[$0].watch.region.key == key }
  }

  private var keyHash: (Int) -> Int { { [slots] in slots[$0].watch.region.key.hashValue } }
}

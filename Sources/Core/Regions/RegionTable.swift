import BeaconAdvertising
import Instants
import Ranging

/// All watched regions, found by beacon at a cost that does not grow with their number.
public struct RegionTable: Sendable {
  private struct Slot {
    /// Names the watch for as long as it lives; zero for a slot that is free.
    var serial: UInt64
    var watch: RegionWatch

    var deadline: Instant { serial == 0 ? .never : watch.deadline }
  }

  private var slots: ContiguousArray<Slot> = []
  private var freeSlots: [Int] = []
  private var slotsByIdentifier: [String: Int] = [:]
  private var slotsByConstraint: [BeaconConstraint: [Int]] = [:]
  private var deadlines = DeadlineQueue()
  private var lastSerial: UInt64 = 0
  private var reception = AdapterReception.allHear

  public init() {}

  public var watches: [RegionWatch] { slots.filter { $0.serial != 0 }.map(\.watch) }

  public var count: Int { slotsByIdentifier.count }

  /// Every constraint that a region has, once.
  public var constraints: some Collection<BeaconConstraint> { slotsByConstraint.keys }

  public subscript(identifier: String) -> RegionWatch? {
    slotsByIdentifier[identifier].map { slots[$0].watch }
  }

  /// Not later than the next instant at which silence changes a state; `.never` when no clock runs.
  public var nextDeadline: Instant { deadlines.earliest }
}

// MARK: Changing the set. Every heard beacon must be matched again afterwards.

extension RegionTable {
  /// Watches `region`. One of the same identifier is replaced: an equal definition changes nothing, one of the same beacons keeps its state,
  /// any other starts as unknown.
  public mutating func add(_ region: BeaconRegion, at time: Instant) {
    var watch = RegionWatch(region: region, at: time, reception)
    if let old = self[region.identifier] {
      guard old.region != region else { return }
      if old.region.constraint == region.constraint { watch = old.redefined(as: region, at: time) }
      remove(region.identifier)
    }
    lastSerial += 1
    let entry = Slot(serial: lastSerial, watch: watch)
    let slot = freeSlots.popLast() ?? slots.endIndex
    if slot == slots.endIndex { slots.append(entry) } else { slots[slot] = entry }
    slotsByIdentifier[region.identifier] = slot
    slotsByConstraint[region.constraint, default: []].append(slot)
    deadlines.expect(watch.deadline, of: slot)
  }

  public mutating func remove(_ identifier: String) {
    guard let slot = slotsByIdentifier.removeValue(forKey: identifier) else { return }
    slots[slot].serial = 0
    freeSlots.append(slot)
    let constraint = slots[slot].watch.region.constraint
    slotsByConstraint[constraint]?.removeAll { $0 == slot }
    if slotsByConstraint[constraint]?.isEmpty == true { slotsByConstraint[constraint] = nil }
  }

  /// Finds the regions that `heard` belongs to; what it knew about those that are still the same stays.
  public func match(_ heard: inout HeardBeacon) {
    let old = heard.matches
    heard.matches = BeaconConstraint.containing(heard.track.beacon)
      .flatMap { slotsByConstraint[$0] ?? [] }
      .map { HeardBeacon.Match(slot: $0, serial: slots[$0].serial) }
      .sorted { $0.serial < $1.serial }
      .map { new in old.first { $0.serial == new.serial } ?? new }
  }
}

extension RegionTable {
  /// Every region starts over, unknown, at `time`.
  public mutating func start(at time: Instant) {
    deadlines = DeadlineQueue()
    for slot in slots.indices {
      slots[slot].watch = RegionWatch(region: slots[slot].watch.region, at: time, reception)
      schedule(slot)
    }
  }
}

// MARK: Sightings and time. Transitions are appended in the order in which they happened.

extension RegionTable {
  /// Adds a sighting to its beacon's track and tells every region that the beacon belongs to. Deadlines up to its time must have expired before.
  public mutating func hear(_ sighting: Sighting, _ heard: inout HeardBeacon, into transitions: inout [RegionTransition]) {
    heard.track.hear(sighting)
    tell(heard.track, AdapterSet(sighting.adapter), &heard.matches, into: &transitions)
  }

  @inline(__always)  // a call would copy the track
  private mutating func tell(
    _ track: BeaconTrack, _ adapter: AdapterSet, _ matches: inout [HeardBeacon.Match], into transitions: inout [RegionTransition]
  ) {
    var matches = matches.mutableSpan  // one look at who else holds the array, not one for each element
    for index in matches.indices {
      let slot = matches[index].slot
      guard let change = slots[slot].watch.hear(track, by: adapter, reception, approach: &matches[index].approach) else { continue }
      transitions.append(RegionTransition(slots[slot].watch, change, evidence: BeaconEvidence(track)))
      schedule(slot)
    }
  }

  public mutating func forget(_ heard: HeardBeacon) {
    for match in heard.matches { slots[match.slot].watch.forget(match.approach) }
  }

  /// Lets every exit clock run out whose deadline is not after `time`, in the order of the deadlines.
  public mutating func expire(through time: Instant, into transitions: inout [RegionTransition]) {
    while let slot = deadlines.next(through: time, deadline: { slots[$0].deadline }) {
      if let change = slots[slot].watch.expire() { transitions.append(RegionTransition(slots[slot].watch, change)) }
    }
  }

  /// Says which adapters can hear from `time` on. Deadlines up to then must have expired before.
  public mutating func receive(_ next: AdapterReception, at time: Instant, into transitions: inout [RegionTransition]) {
    guard next != reception else { return }
    for slot in slots.indices where slots[slot].serial != 0 {
      if let change = slots[slot].watch.receive(next, after: reception, at: time) {
        transitions.append(RegionTransition(slots[slot].watch, change))
      }
      schedule(slot)
    }
    reception = next
  }

  private mutating func schedule(_ slot: Int) {
    deadlines.expect(slots[slot].deadline, of: slot)
  }
}

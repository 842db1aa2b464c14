import BeaconAdvertising
import Beacons
import Events
import Instants
import Ranging

/// All regions that beacons mark. The cost of finding them by beacon does not grow with their number.
struct BeaconTable: Sendable {
  struct Slot {
    /// A number that identifies the watch for its lifetime; zero for a free slot.
    var serial: UInt32
    /// The next region of the same constraint; negative for none.
    var next: Int32
    var watch: BeaconWatch

    var deadline: Instant { serial == 0 ? .never : watch.deadline }
  }

  var slots: ContiguousArray<Slot> = []
  var freeSlots: [Int32] = []
  var byKey = SlotIndex()
  /// The first region of each constraint.
  var byConstraint = SlotIndex()
  var deadlines = DeadlineQueue()
  var lastSerial: UInt32 = 0
  var reception = AdapterReception.allHear
  var nearest = NearestBeacons()

  var watches: [BeaconWatch] { slots.filter { $0.serial != 0 }.map(\.watch) }

  func watches(of owner: RegionOwner) -> [BeaconWatch] {
    slots.filter { $0.serial != 0 && $0.watch.region.owner == owner }.map(\.watch)
  }

  func contains(where condition: (BeaconRegion) -> Bool) -> Bool {
    slots.contains { $0.serial != 0 && condition($0.watch.region) }
  }

  var count: Int { slots.count - freeSlots.count }

  /// Every UUID that a region has, once.
  var uuids: Set<BeaconUUID> { Set(slots.lazy.filter { $0.serial != 0 }.map(\.watch.region.constraint.uuid)) }

  subscript(key: RegionKey) -> BeaconWatch? { slot(of: key).map { slots[$0].watch } }

  /// Whether a visitor is, or was when last certain, inside one of the regions.
  var hasVisit: Bool { slots.contains { $0.serial != 0 && ($0.watch.state == .inside || $0.watch.remembered == .inside) } }

  /// A time not later than the next change by silence; `.never` if no exit clock runs.
  @inline(__always)  // a part of every sighting; a call would copy the table
  var nextDeadline: Instant { deadlines.earliest }
}

extension BeaconTable {
  /// Restarts every region at `time`.
  mutating func start(at time: Instant) {
    deadlines = DeadlineQueue()
    nearest.restart()
    for slot in slots.indices {
      slots[slot].watch = BeaconWatch(region: slots[slot].watch.region, at: time, reception)
      schedule(slot)
    }
  }
}

// MARK: Sightings and time. Transitions are appended in chronological order.

extension BeaconTable {
  /// Adds a sighting to its beacon's track and updates every region that the beacon belongs to.
  /// Deadlines up to the sighting's time must have expired before.
  @inline(__always)
  mutating func hear(_ sighting: Sighting, _ heard: inout HeardBeacon, into transitions: inout [RegionTransition]) {
    heard.track.hear(sighting)
    if nearest.isNeeded { noteNearest(&heard) }
    Self.update(&slots, &deadlines, by: &heard, AdapterSet(sighting.adapter), reception, nearest, into: &transitions)
  }

  @inline(never)  // few tables need it
  private mutating func noteNearest(_ heard: inout HeardBeacon) {
    for index in heard.matches.indices {
      nearest.note(&heard.track, of: slots[Int(heard.matches[index].slot)].watch.region.owner)
    }
  }

  @inline(__always)
  private static func update(
    _ slots: inout ContiguousArray<Slot>, _ deadlines: inout DeadlineQueue, by heard: inout HeardBeacon, _ adapter: AdapterSet,
    _ reception: AdapterReception, _ nearest: borrowing NearestBeacons, into transitions: inout [RegionTransition]
  ) {
    // Checks once whether the array is shared, not once for each element.
    var slots = slots.mutableSpan
    for index in heard.matches.indices {
      let slot = Int(heard.matches[index].slot)
      guard let step = slots[slot].watch.hear(&heard, index, by: adapter, reception, nearest) else { continue }
      if case .changed(let change) = step {
        transitions.append(RegionTransition(slots[slot].watch, change, evidence: slots[slot].watch.evidence(&heard.track)))
      }
      deadlines.expect(slots[slot].deadline, of: slot)
    }
  }

  mutating func forget(_ heard: HeardBeacon) {
    for match in heard.matches { slots[Int(match.slot)].watch.forget(match.approach) }
  }

  /// Ends every exit clock whose deadline is not after `time`, in the order of the deadlines.
  mutating func expire(through time: Instant, into transitions: inout [RegionTransition]) {
    while let slot = deadlines.next(through: time, deadline: { slots[$0].deadline }) {
      if let change = slots[slot].watch.expire() { transitions.append(RegionTransition(slots[slot].watch, change)) }
    }
  }

  /// Sets the adapters that can hear from `time` on. Deadlines up to then must have expired before.
  mutating func receive(_ next: AdapterReception, at time: Instant, into transitions: inout [RegionTransition]) {
    guard next != reception else { return }
    for slot in slots.indices where slots[slot].serial != 0 {
      if let change = slots[slot].watch.receive(next, after: reception, at: time) {
        transitions.append(RegionTransition(slots[slot].watch, change))
      }
      schedule(slot)
    }
    reception = next
  }

  mutating func schedule(_ slot: Int) {
    deadlines.expect(slots[slot].deadline, of: slot)
  }
}

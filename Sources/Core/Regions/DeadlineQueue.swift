import HeapModule
import Instants

/// Finds the deadlines that have passed, although each sighting moves a deadline.
///
/// A sighting only makes a deadline later, so each slot has one entry that is never later than its deadline. A popped entry goes back into
/// the heap if its deadline has moved. A deadline thus costs O(log n) once per exit delay and nothing per sighting.
struct DeadlineQueue: Sendable {
  private struct Entry: Comparable {
    let deadline: Instant
    let slot: Int

    init(_ deadline: Instant, _ slot: Int) { (self.deadline, self.slot) = (deadline, slot) }

    static func < (a: Entry, b: Entry) -> Bool {
      (a.deadline, a.slot) < (b.deadline, b.slot)
    }
  }

  private var heap = Heap<Entry>()
  /// The deadline of each slot's entry in the heap; `.never` for none. Entries that differ from it are stale.
  private var expected: [Instant] = []

  /// A time that is not later than the earliest deadline.
  var earliest: Instant { heap.min?.deadline ?? .never }

  /// Reserves memory for slots below `count`.
  mutating func reserve(_ count: Int) {
    expected.reserveCapacity(count)
    heap.reserveCapacity(count)
  }

  /// Ensures that the queue checks `slot` no later than `deadline`.
  @inline(never)  // few sightings need it, and the caller would check for each whether the queue is shared
  mutating func expect(_ deadline: Instant, of slot: Int) {
    guard deadline != .never else { return }
    if slot >= expected.count { expected += Array(repeating: .never, count: slot - expected.count + 1) }
    guard deadline < expected[slot] else { return }
    expected[slot] = deadline
    heap.insert(Entry(deadline, slot))
  }

  /// Returns the next slot whose deadline is at or before `time`, earliest first, or `nil` if there is none.
  mutating func next(through time: Instant, deadline current: (Int) -> Instant) -> Int? {
    while let entry = heap.min, entry.deadline <= time {
      guard expected[entry.slot] == entry.deadline else {
        heap.removeMin()
        continue
      }
      let deadline = current(entry.slot)
      expected[entry.slot] = deadline == entry.deadline ? .never : deadline
      if deadline == entry.deadline || deadline == .never { heap.removeMin() } else { heap.replaceMin(with: Entry(deadline, entry.slot)) }
      if deadline == entry.deadline { return entry.slot }
    }
    return nil
  }
}

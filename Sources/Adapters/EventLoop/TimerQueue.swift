import Instants

/// The armed timers in the order of their deadlines: a binary heap with the position of each timer.
/// Arming, re-arming and disarming are therefore O(log n), and a timer is in the heap at most once.
///
/// Timers that are due at the same instant come out in the order in which they were armed.
struct TimerQueue {
  private struct Entry {
    var due: Instant
    var order: UInt64
    var id: UInt64

    func precedes(_ other: Entry) -> Bool {
      due == other.due ? order < other.order : due < other.due
    }
  }

  private var heap: [Entry] = []
  private var positions: [UInt64: Int] = [:]
  private(set) var nextOrder: UInt64 = 0

  var isEmpty: Bool { heap.isEmpty }
  var earliest: Instant? { heap.first?.due }

  func due(of id: UInt64) -> Instant? {
    positions[id].map { heap[$0].due }
  }

  /// Arms a timer, or moves its deadline if it is armed already.
  mutating func arm(_ id: UInt64, at due: Instant) {
    let entry = Entry(due: due, order: nextOrder, id: id)
    nextOrder += 1
    if let position = positions[id] {
      heap[position] = entry
      settle(position)
    } else {
      heap.append(entry)
      positions[id] = heap.count - 1
      rise(from: heap.count - 1)
    }
  }

  mutating func disarm(_ id: UInt64) {
    guard let position = positions.removeValue(forKey: id) else { return }
    let last = heap.removeLast()
    guard position < heap.count else { return }
    heap[position] = last
    positions[last.id] = position
    settle(position)
  }

  /// Removes and returns the first timer that is due at `now` and was armed before `order`.
  /// Timers that were armed later wait for the next turn, so that a timer that re-arms itself at once cannot block the loop's other work.
  mutating func popDue(at now: Instant, armedBefore order: UInt64) -> UInt64? {
    guard let first = heap.first, first.due <= now, first.order < order else { return nil }
    disarm(first.id)
    return first.id
  }

  private mutating func settle(_ position: Int) {
    rise(from: position)
    sink(from: position)
  }

  private mutating func rise(from start: Int) {
    var child = start
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].precedes(heap[parent]) else { return }
      exchange(child, parent)
      child = parent
    }
  }

  private mutating func sink(from start: Int) {
    var parent = start
    while true {
      var first = parent
      for child in (2 * parent + 1)...(2 * parent + 2) where child < heap.count && heap[child].precedes(heap[first]) {
        first = child
      }
      guard first != parent else { return }
      exchange(parent, first)
      parent = first
    }
  }

  private mutating func exchange(_ a: Int, _ b: Int) {
    heap.swapAt(a, b)
    positions[heap[a].id] = a
    positions[heap[b].id] = b
  }
}

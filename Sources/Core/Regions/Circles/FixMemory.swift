import Instants

/// The last fix that was fine enough, for each accuracy, and when it expires.
///
/// A coarse fix after a fine one is useless for a small circle, so the fine fix still counts for that circle. The memory keeps only fixes
/// that no later fix surpasses. From one source that is mostly one fix, and at most as many as arrive within a fix's lifetime.
struct FixMemory: Sendable {
  private struct Entry {
    let fix: Fix
    var end: Instant

    var accuracy: Double { fix.accuracy }
  }

  /// The fixes from the finest, which expires first. A later fix that is as fine replaces those before it.
  private var entries: [Entry] = []
  private(set) var last: Fix?

  mutating func note(_ fix: Fix) {
    last = fix
    // A lasting fix is valid until the next fix, and then as long as that one.
    for index in entries.indices { entries[index].end = min(entries[index].end, fix.end) }
    entries.removeAll { $0.accuracy >= fix.accuracy }
    // A finer fix that is valid as long makes this one superfluous.
    if let finest = entries.last, finest.end >= fix.end { return }
    entries.append(Entry(fix: fix, end: fix.end))
  }

  /// Returns the last fix that was fine enough for a circle of this radius.
  func last(for radius: Double) -> Fix? { entries.last { $0.accuracy <= radius }?.fix }

  mutating func forget() {
    self = FixMemory()
  }

  /// Forgets fixes that are finer than any circle needs: no circle is smaller than `radius`.
  mutating func limit(to radius: Double) {
    while entries.count > 1, entries[1].accuracy <= radius { entries.removeFirst() }
  }

  /// The time at which the next circles become unknown; `.never` if there is no fix.
  var nextEnd: Instant { entries.first?.end ?? .never }

  /// Removes the finest fix, which has expired, and returns the radii of circles that now have none.
  /// There must be a fix.
  mutating func expire() -> Range<Double> {
    let ended = entries.removeFirst()
    if entries.isEmpty { last = nil }
    return ended.accuracy..<(entries.first?.accuracy ?? .infinity)
  }
}

import Instants

/// The last fix, and until when there was one that is fine enough: for each accuracy.
///
/// A coarse fix that comes after a fine one tells nothing to a small circle, so for that the fine one still counts. Kept are those fixes only that no later one surpasses; of the same
/// source that is mostly one, and at most as many as come in a fix's lifetime.
struct FixMemory: Sendable {
  private struct Entry {
    let fix: Fix
    var end: Instant

    var accuracy: Double { fix.accuracy }
  }

  /// The finest first, which end first: a later fix that is as fine takes the place of those before it.
  private var entries: [Entry] = []
  private(set) var last: Fix?

  mutating func note(_ fix: Fix) {
    last = fix
    // One that lasts does so until there is another, and then tells as long as that.
    for index in entries.indices { entries[index].end = min(entries[index].end, fix.end) }
    entries.removeAll { $0.accuracy >= fix.accuracy }
    // One that is finer and tells as long leaves nothing for this to tell.
    if let finest = entries.last, finest.end >= fix.end { return }
    entries.append(Entry(fix: fix, end: fix.end))
  }

  /// The last one that told a circle of this radius anything.
  func last(for radius: Double) -> Fix? { entries.last { $0.accuracy <= radius }?.fix }

  mutating func forget() {
    self = FixMemory()
  }

  /// Fixes that are finer than what is known about larger circles can be forgotten: no circle is smaller than `radius`.
  mutating func limit(to radius: Double) {
    while entries.count > 1, entries[1].accuracy <= radius { entries.removeFirst() }
  }

  /// When circles become unknown next; `.never` while no fix tells anything.
  var nextEnd: Instant { entries.first?.end ?? .never }

  /// The finest fix tells nothing any more: circles of these radii have none now. There is one.
  mutating func expire() -> Range<Double> {
    let ended = entries.removeFirst()
    if entries.isEmpty { last = nil }
    return ended.accuracy..<(entries.first?.accuracy ?? .infinity)
  }
}

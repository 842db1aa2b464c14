import Instants

/// The last fix, and until when there was one that is fine enough: for each accuracy.
///
/// A coarse fix that comes after a fine one tells nothing to a small circle, so for that the fine one still counts. Kept are those fixes only that no later one surpasses; of the same
/// source that is mostly one, and at most as many as come in a fix's lifetime.
struct FixMemory: Sendable {
  private struct Entry {
    let accuracy: Double
    let end: Instant
  }

  /// The finest first, which end first.
  private var entries: [Entry] = []
  private(set) var last: Fix?

  mutating func note(_ fix: Fix) {
    last = fix
    // One that lasts does so until there is another.
    entries.removeAll { $0.end == .never || fix.isLasting || $0.accuracy >= fix.accuracy && $0.end <= fix.end }
    let place = entries.firstIndex { $0.accuracy >= fix.accuracy } ?? entries.endIndex
    // One that is finer and lasts longer leaves nothing for this to tell.
    if place > 0, entries[place - 1].end >= fix.end { return }
    entries.insert(Entry(accuracy: fix.accuracy, end: fix.end), at: place)
  }

  mutating func forget() {
    self = FixMemory()
  }

  /// Fixes that are finer than what is known about larger circles can be forgotten: no circle is smaller than `radius`.
  mutating func limit(to radius: Double) {
    while entries.count > 1, entries[1].accuracy <= radius { entries.removeFirst() }
  }

  /// When circles become unknown next; `.never` while no fix tells anything.
  var nextEnd: Instant { entries.first?.end ?? .never }

  /// The finest fix tells nothing any more: circles of a smaller radius than this have none now.
  mutating func expire() -> Double {
    entries.removeFirst()
    if entries.isEmpty { last = nil }
    return entries.first?.accuracy ?? .infinity
  }

  /// Whether there is a fix for circles of this radius.
  func tells(_ radius: Double) -> Bool { entries.first.map { $0.accuracy <= radius } ?? false }
}

import Instants

/// Finds queues in which numbers stay missing.
///
/// After the leader of a queue changes, a broker may count messages as delivered that never arrived. The queue continues to deliver others,
/// and only a new subscription brings the missing ones. Because a subscription may come too early, a gap is watched until it is filled, for
/// about twelve minutes.
struct GapWatch {
  /// The time in which missing messages may still be on their way.
  static let patience = Span.seconds(10)
  /// The minimum time between two subscriptions because of gaps, which devices that drop digests leave as well.
  static let pause = Span.seconds(60)
  /// The times between the checks of a gap that stays.
  static let intervals = [60, 120, 240, 300].map { Span.seconds($0) }
  /// The maximum number of gaps of a queue that are watched.
  static let mostGaps = 64
  /// The maximum number of gaps of a stream that are watched.
  ///
  /// A device that leaves numbers out cannot use up the gaps of its queue.
  static let mostGapsOfStream = 4

  private struct Gap {
    var key: StreamKey
    var numbers: ClosedRange<Int64>
    var due: Instant
    /// The number of checks that found it unfilled.
    var checks = 0

    /// Returns the gap after a new subscription to its queue; nil after the last check.
    func checked(_ now: Instant) -> Gap? {
      var gap = self
      guard now >= due else {
        gap.due = max(due, now + GapWatch.pause)
        return gap
      }
      guard checks < GapWatch.intervals.count else { return nil }
      gap.due = now + GapWatch.intervals[checks]
      gap.checks += 1
      return gap
    }
  }

  private var gaps: [Int: [Gap]] = [:]
  private var pausesUntil: [Int: Instant] = [:]

  mutating func note(queue: Int, _ key: StreamKey, _ numbers: ClosedRange<Int64>, _ now: Instant) {
    let watched = gaps[queue, default: []]
    guard watched.count < Self.mostGaps, watched.count(where: { $0.key == key }) < Self.mostGapsOfStream else { return }
    let due = now + Self.patience
    gaps[queue, default: []].append(Gap(key: key, numbers: numbers, due: max(due, pausesUntil[queue] ?? due)))
  }

  /// Forgets the gaps of a queue that another worker continues.
  mutating func forget(queue: Int) { gaps[queue] = nil }

  /// Returns the queues in which numbers have been missing for long, each once.
  ///
  /// A floor above a gap does not end its watch: the floor of an event is its own number, and that of a digest passes each number that the
  /// broker has acknowledged, whether it was delivered or not.
  mutating func stuckQueues(_ now: Instant, isMissing: (StreamKey, ClosedRange<Int64>) throws -> Bool) rethrows -> [Int] {
    var stuck: [Int] = []
    for (queue, watched) in gaps where watched.contains(where: { now >= $0.due }) {
      var left = try watched.filter { try now < $0.due || isMissing($0.key, $0.numbers) }
      if left.contains(where: { now >= $0.due }) {
        stuck.append(queue)
        pausesUntil[queue] = now + Self.pause
        left = left.compactMap { $0.checked(now) }
      }
      gaps[queue] = left.isEmpty ? nil : left
    }
    return stuck.sorted()
  }
}

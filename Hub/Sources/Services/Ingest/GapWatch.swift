/// Finds queues in which numbers stay missing.
///
/// After the leader of a queue changes, a broker may hold messages as delivered that never came. The queue goes on delivering others, and only a new
/// subscription brings the missing ones.
struct GapWatch {
  /// The time in milliseconds in which missing messages may still be on their way.
  static let patience: Int64 = 10_000
  /// The shortest time between two subscriptions for this reason: devices that drop digests leave gaps as well.
  static let pause: Int64 = 60_000

  private struct Gap {
    var key: StreamKey
    var number: Int64
    var due: Int64
  }

  private var gaps: [Int: Gap] = [:]
  private var pausesUntil: [Int: Int64] = [:]

  mutating func note(queue: Int, _ key: StreamKey, _ number: Int64, _ now: Int64) {
    guard gaps[queue] == nil, now >= pausesUntil[queue, default: .min] else { return }
    gaps[queue] = Gap(key: key, number: number, due: now + Self.patience)
  }

  /// Returns the queues of which a number has been missing for long, each once.
  mutating func stuckQueues(_ now: Int64, isMissing: (StreamKey, Int64) -> Bool) -> [Int] {
    guard !gaps.isEmpty else { return [] }
    let due = gaps.filter { now >= $0.value.due }
    for queue in due.keys { gaps[queue] = nil }
    let stuck = due.filter { isMissing($0.value.key, $0.value.number) }.keys.sorted()
    for queue in stuck { pausesUntil[queue] = now + Self.pause }
    return stuck
  }
}

import Instants
import Partitions

/// The time for which a subscription without a delivery is kept. An idle queue is subscribed to less and less often.
private struct Silence {
  private var backoff = Backoff(from: .seconds(30), to: .seconds(240))
  private(set) var end: Instant

  init(from now: Instant) {
    end = now
    extend(from: now)
  }

  mutating func extend(from now: Instant) {
    // The workers of a fleet start at the same time.
    end = now + backoff.next() * .random(in: 1...1.25)
  }
}

/// The reason why a worker subscribes to a queue.
enum SubscriptionReason: String {
  /// The worker begins to read the queue, which another one or an earlier session may have read.
  case share = "for its share"
  case silence = "because of silence"
  case missingNumbers = "because of missing numbers"
  case age = "because of its age"
}

/// Decides to which queues a worker subscribes, and which it yields to others.
///
/// A broker delivers a queue to its oldest subscriber alone. A worker therefore subscribes to its own share first, to the rest as a
/// stand-by a little later, and yields a queue that is another running worker's share. It owns a queue as soon as the queue delivers a
/// message to it. It owns a silent queue of its own share a little later.
struct QueueOwnership {
  private static let registrationInterval = Span.milliseconds(2000)
  private static let standbyDelay = Span.milliseconds(1500)
  /// The shortest time between two yields of one queue.
  /// A worker that has stopped still counts as running for a while, but takes no queues.
  private static let yieldInterval = Span.milliseconds(5000)
  /// The time after which a worker owns a silent queue of its share. The worker before it yields the queue in less.
  private static let claimDelay = Span.milliseconds(5000)
  /// The shortest time after which a queue with deliveries is subscribed to again.
  private static let renewalInterval = Span.seconds(600)

  private static let past = Instant(microseconds: .min)

  private let worker: String
  private let queues: Int
  private var share: Set<Int> = []
  private var open: Set<Int> = []
  private var standbyFrom: [Int: Instant]
  private var yieldFrom: [Int: Instant] = [:]
  private var claimFrom: [Int: Instant] = [:]
  private var registerAt: Instant
  private var silences: [Int: Silence] = [:]
  /// The times of the next subscriptions, which deliveries do not postpone.
  private var renewals: [Int: Instant] = [:]
  /// The reasons of the present and the next subscriptions.
  private(set) var reasons: [Int: SubscriptionReason] = [:]
  /// The epochs of the queues that deliver to this worker.
  private(set) var epochs: [Int: Int64] = [:]
  /// The epochs of the queues when they last delivered to this worker.
  private var lastEpochs: [Int: Int64] = [:]

  init(worker: String, queues: Int, start: Instant) {
    (self.worker, self.queues, registerAt) = (worker, queues, start)
    standbyFrom = Dictionary(uniqueKeysWithValues: (0..<queues).map { ($0, start + Self.standbyDelay) })
  }

  mutating func registerIfDue(_ now: Instant, at store: any FleetStore) throws {
    guard now >= registerAt else { return }
    let before = share
    share = QueueShares.queues(of: worker, among: try store.register(worker: worker), queues: queues)
    for queue in share.subtracting(before) { claimFrom[queue] = now + Self.claimDelay }
    registerAt = now + Self.registrationInterval
  }

  func queuesToOpen(_ now: Instant) -> [Int] {
    guard open.count < queues else { return [] }
    return (0..<queues).filter { !open.contains($0) && (share.contains($0) || now >= standbyFrom[$0, default: Self.past]) }
  }

  func queuesToYield(_ now: Instant) -> [Int] { epochs.keys.filter { isOfAnother($0, now) }.sorted() }

  /// Returns whether another worker should have a queue, unless the queue was yielded to it a moment ago.
  func isOfAnother(_ queue: Int, _ now: Instant) -> Bool { !share.contains(queue) && now >= yieldFrom[queue, default: Self.past] }

  /// Returns the queues of the share that are silent and not owned yet.
  func queuesToClaim(_ now: Instant) -> [Int] {
    share.intersection(open).filter { epochs[$0] == nil && now >= claimFrom[$0, default: Self.past] }.sorted()
  }

  /// Returns the queues that have been silent for long, or were subscribed to long ago.
  ///
  /// A broker may hold the messages of a queue as delivered although they never came, and delivers them again to a new subscription. If
  /// they are the last ones of a device, no number is missing, and the messages of other devices end the silence of the queue.
  ///
  /// A stand-by subscribes again as well: each new subscription of an owner makes the stand-by the oldest subscriber, for which the broker
  /// may hold messages.
  func queuesToReopen(_ now: Instant) -> [(queue: Int, reason: SubscriptionReason)] {
    open.sorted().compactMap { queue in
      if let silence = silences[queue], now >= silence.end { return (queue, .silence) }
      if let renewal = renewals[queue], now >= renewal { return (queue, .age) }
      return nil
    }
  }

  mutating func opened(_ queue: Int, _ now: Instant) {
    open.insert(queue)
    claimFrom[queue] = now + Self.claimDelay
    if silences[queue] == nil { silences[queue] = Silence(from: now) } else { silences[queue]?.extend(from: now) }
    renewals[queue] = now + Self.renewalInterval * .random(in: 1...1.25)
  }

  mutating func delivered(_ queue: Int, _ now: Instant) { silences[queue] = Silence(from: now) }

  /// - Parameter reason: why the worker subscribes to the queue again
  mutating func closed(_ queue: Int, _ now: Instant, _ reason: SubscriptionReason) {
    epochs[queue] = nil
    open.remove(queue)
    reasons[queue] = reason
    standbyFrom[queue] = now + Self.standbyDelay
    // A queue that is only subscribed to again is not yielded to another worker.
    if reason == .share || reason == .missingNumbers { yieldFrom[queue] = now + Self.yieldInterval }
  }

  /// Makes the worker the owner of a queue. Returns whether no other worker has owned the queue since this one last did.
  mutating func acquire(_ queue: Int, at store: any FleetStore) throws -> Bool {
    let epoch = try store.acquire(queue: queue, worker: worker)
    defer { (epochs[queue], lastEpochs[queue]) = (epoch, epoch) }
    return lastEpochs[queue].map { epoch == $0 + 1 } ?? false
  }
}

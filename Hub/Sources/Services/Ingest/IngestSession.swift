import FleetMessages
import Instants
import Partitions

/// The clocks of a worker.
public protocol IngestClock: Sendable {
  /// The time of a clock that never jumps.
  var uptime: Instant { get }
  /// The time since the Unix epoch.
  var wallTime: Instant { get }
}

/// Stores the messages of a worker's queues while both of its links work.
///
/// Every call that throws ends the session, because its memory may differ from the database. The next session begins without memory.
public final class IngestSession {
  public struct Limits: Sendable {
    /// The largest number of messages in a transaction.
    public var messages = 200
    /// The longest wait of a message for others.
    public var delay = Span.milliseconds(200)

    public init() {}
  }

  /// Counts since the caller reset them.
  public struct Counts: Sendable {
    public var messages = 0
    public var sightings = 0
    public var batches = 0
    public var refused = 0
    /// Redelivered messages that had not been stored before.
    public var recovered = 0
    /// The times from the clock of each device to its committed row, in milliseconds, of the newest messages.
    public var delays: [Int32] = []
    static let mostDelays = 100_000
  }

  /// The minimum interval of the checks of the workers' shares and of messages to devices.
  private static let ownershipInterval = Span.milliseconds(20)

  private let store: any FleetStore
  private let source: any QueueMessageSource
  private let clock: any IngestClock
  private let map: QueueMap
  private let limits: Limits
  private var ownership: QueueOwnership
  private var ownershipDue = Instant(microseconds: .min)
  private var downlink: Downlink
  private var memory = IngestMemory()
  private var gaps = GapWatch()
  private var pending: [QueueMessage] = []
  private var pendingSince = Instant(microseconds: 0)
  private let report: (String) -> Void
  /// The reason why the last message was set aside; consecutive messages with the same reason are logged once.
  private var lastRejection = ""
  public var counts = Counts()
  /// Whether the session has ended because the database did not store a batch.
  public private(set) var hasFailedToWrite = false

  /// - Parameter report: prints a line of the log
  public init(
    worker: String, map: QueueMap, store: any FleetStore, source: any QueueMessageSource, publisher: any MessagePublisher,
    clock: any IngestClock, limits: Limits = Limits(), report: @escaping (String) -> Void
  ) {
    (self.map, self.store, self.source, self.clock, self.limits) = (map, store, source, clock, limits)
    self.report = report
    downlink = Downlink(store, publisher, report: report)
    ownership = QueueOwnership(worker: worker, queues: map.queues, start: clock.uptime)
  }

  /// The queues that deliver to this worker.
  public var ownedQueues: Set<Int> { Set(ownership.epochs.keys) }

  /// Registers the worker, changes its queues, and stores what is due. Waits at most 200 milliseconds for a message.
  public func step() throws {
    let now = clock.uptime
    if now >= ownershipDue {
      try changeQueues(now)
      ownershipDue = now + Self.ownershipInterval
    }
    if !pending.isEmpty, pending.count >= limits.messages || now - pendingSince >= limits.delay { try flush() }
    let wait = pending.isEmpty ? Span.milliseconds(200) : max(.milliseconds(1), pendingSince + limits.delay - now)
    guard let delivery = try source.next(within: wait) else { return }
    ownership.delivered(delivery.queue, clock.uptime)
    if ownership.epochs[delivery.queue] == nil {
      // The broker gives the message to the other worker.
      if ownership.isOfAnother(delivery.queue, clock.uptime) { return try leave(delivery.queue, clock.uptime) }
      try acquire(delivery.queue)
    }
    if pending.isEmpty { pendingSince = clock.uptime }
    pending.append(delivery)
  }

  /// Takes and yields queues as the shares of the workers require, and publishes messages to devices.
  private func changeQueues(_ now: Instant) throws {
    try ownership.registerIfDue(now, at: store)
    for queue in ownership.queuesToYield(now) {
      try leave(queue, now)
      gaps.forget(queue: queue)
      report("yields queue \(queue)")
    }
    for (queue, reason) in ownership.queuesToReopen(now) { try leave(queue, now, reason) }
    for queue in try gaps.stuckQueues(now, isMissing: { try memory.isMissing($0, $1, in: store) }) where ownership.epochs[queue] != nil {
      try leave(queue, now, .missingNumbers)
      report("subscribes again to queue \(queue), in which messages are missing")
    }
    for queue in ownership.queuesToOpen(now) {
      try source.open(queue: queue)
      ownership.opened(queue, now)
    }
    for queue in ownership.queuesToClaim(now) { try acquire(queue) }
    try downlink.step(now, queues: ownedQueues)
  }

  /// Stores and acknowledges the messages that wait.
  private func flush() throws {
    guard !pending.isEmpty else { return }
    do { try store(pending.map { IngestMessage($0, from: memory.sender(of: $0, map)) }) } catch {
      hasFailedToWrite = true
      throw error
    }
    var last: [Int: UInt64] = [:]
    for delivery in pending { last[delivery.queue] = delivery.tag }
    for (queue, tag) in last { try source.acknowledge(queue: queue, through: tag) }
    pending.removeAll(keepingCapacity: true)
  }

  /// Stores messages in one transaction.
  ///
  /// If the database refuses a value, each half gets a transaction of its own, and so on until the refused message is alone and is set
  /// aside.
  private func store(_ messages: [IngestMessage]) throws {
    // The times of rows are milliseconds.
    let now = clock.wallTime.microseconds / 1000
    try memory.load(for: messages, from: store, now: now)
    for problem in memory.takeProblems() { report(problem) }
    var batch = memory.batch(of: messages, received: now)
    batch.epochs = ownership.epochs.filter { queue, _ in messages.contains { $0.delivery.queue == queue } }
    do {
      memory.trim(revision: try store.write(batch))
      downlink.take(reportsOf: batch.reports.keys)
      for skip in batch.skips { gaps.note(queue: skip.queue, skip.key, skip.numbers, clock.uptime) }
      count(messages, batch)
      for (queue, number) in batch.recovered.sorted(by: { $0.key < $1.key }) {
        // After a subscription for its share, another worker or an earlier session has left these; otherwise, the broker may have held them
        // back.
        let reason = ownership.reasons[queue] ?? .share
        report("queue \(queue): \(number) redelivered messages are new, after a subscription \(reason.rawValue)")
      }
    } catch let error as RejectedData {
      // The memory has changes that were not written.
      memory.forget()
      guard messages.count == 1 else {
        try store(Array(messages.prefix(messages.count / 2)))
        return try store(Array(messages.dropFirst(messages.count / 2)))
      }
      var message = messages[0]
      guard message.note(error) else { throw error }
      if lastRejection != error.description { report("sets a message of \(message.delivery.routingKey) aside: \(error)") }
      lastRejection = error.description
      try store([message])
    }
  }

  private func count(_ messages: [IngestMessage], _ batch: Batch) {
    let now = clock.wallTime.microseconds / 1000
    counts.messages += messages.count
    counts.batches += 1
    counts.recovered += batch.recovered.values.reduce(0, +)
    counts.refused += batch.refusals.values.reduce(0) { $0 + Int($1.messages) }
    if counts.delays.count + messages.count > Counts.mostDelays { counts.delays.removeAll(keepingCapacity: true) }
    for message in messages {
      guard case .success(let content) = message.content else { continue }
      counts.delays.append(Int32(clamping: now - content.time))
      if case .digest(let sightings) = content.body { counts.sightings += sightings.count }
    }
  }

  private func acquire(_ queue: Int) throws {
    if try !ownership.acquire(queue, at: store) { memory.forgetLearned(queue: queue) }
    downlink.ownsMore()
    report("owns queue \(queue)")
  }

  private func leave(_ queue: Int, _ now: Instant, _ reason: SubscriptionReason = .share) throws {
    try flush()
    try storeCorrections(of: queue)
    try source.close(queue: queue)
    let wasOwner = ownership.epochs[queue] != nil
    ownership.closed(queue, now, reason)
    // From now on, another worker may change the rows of this queue. A stand-by has none of them in memory.
    if wasOwner { memory.forget(queue: queue, map) }
  }

  /// Stores the pending messages and the corrections of surveys. Call it before a requested end of the session.
  public func finish() throws {
    try flush()
    for queue in ownedQueues.sorted() { try storeCorrections(of: queue) }
  }

  /// Stores the corrections of surveys at the sites of a queue, so that its next owner continues with them.
  private func storeCorrections(of queue: Int) throws {
    guard let epoch = ownership.epochs[queue] else { return }
    var batch = Batch()
    batch.corrections = memory.takeCorrections(queue: queue)
    guard !batch.corrections.isEmpty else { return }
    batch.epochs = [queue: epoch]
    _ = try store.write(batch)
  }
}

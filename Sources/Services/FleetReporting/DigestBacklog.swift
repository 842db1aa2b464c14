import DeliveryScheduling
import FleetMessages
import Instants
import Logging
import Scheduling

/// The digests on their way to a hub, sent in their order.
///
/// While the hub is reachable, digests stay in memory only. Those of a longer absence go to a store in large batches, because each write
/// wears the flash memory of a small device. Memory and store have a size; beyond it the oldest digests are lost first.
public final class DigestBacklog {
  /// The time after which digests in memory go to the store. Those that it does not take stay in memory.
  public static let memoryTime = Span.seconds(600)
  /// The size of the digests in memory, in octets.
  static let memorySize = 4 << 20
  /// The time of a batch in the store.
  static let batchTime = Span.seconds(300)
  /// The time after which a store that does not take a batch is tried again.
  static let storePause = Span.seconds(60)
  /// The size of the store, in octets.
  public static let storeSize = 64 << 20

  private struct Item {
    var message: FleetMessage
    let size: Int
    /// The time at which the digest ended; that of the start of this run for one of an earlier run.
    let since: Instant
    /// The batch in the store; nil for a digest in memory only.
    var batch: Int64?
    /// The place in the order of sending; nil before the first attempt.
    var place: Int64?
  }

  private let scheduler: any Scheduler
  private let journal: StreamJournal
  private let log: Logger
  private var lastSequence: Int64 = 0
  private var lastPlace: Int64 = 0
  /// The digests before those of the store: from a batch that was read, or repeated after the loss of a connection.
  private var front: ArraySlice<Item> = []
  /// The batches in the store; nil without one.
  private var batches: DigestBatches?
  private var memory: ArraySlice<Item> = []
  private var memoryCount = 0
  private var underWay: [Item] = []
  private var allowance: SendingAllowance
  private var timer: (any SchedulerTimer)?
  /// The time before which nothing is written to the store again.
  private var nextWriting = Instant(microseconds: .min)
  /// The reason for which the last batch was not stored; nil if it was.
  private var storeError: DigestStoreError?
  /// The number of digests that memory had no room for.
  private var discarded: Int64 = 0
  /// The number of digests that were lost since the beginning of the numbering.
  public var dropped: Int64 { discarded + (batches?.lost ?? 0) }

  /// The target; nil without one. Another target sends the unacknowledged digests again.
  public var target: (any FleetTarget)? {
    didSet {
      returnUnderWay()
      pump()
    }
  }

  /// - Parameter journal: the random identity of the numbering of new digests.
  public init(_ scheduler: any Scheduler, _ store: (any DigestStore)?, journal: StreamJournal, log: Logger) {
    (self.scheduler, self.journal, self.log) = (scheduler, journal, log)
    allowance = SendingAllowance(at: scheduler.now)
    batches = store.map { DigestBatches($0, log: log) }
    timer = scheduler.timer { [unowned self] in pump() }
  }

  /// Queues the messages of a digest.
  ///
  /// - Parameter time: the end of the digest in milliseconds since the Unix epoch.
  public func append(_ digest: [[FleetSighting]], time: Int64) {
    for sightings in digest {
      lastSequence += 1
      let message = FleetMessage(journal: journal, sequence: lastSequence, floor: 0, time: time, body: .digest(sightings))
      let item = Item(message: message, size: message.octets.count, since: scheduler.now)
      memory.append(item)
      memoryCount += item.size
    }
    allowance.add(digest.count, at: scheduler.now)
    pump()
    makeRoom()
  }

  /// Call when the target is connected or has lost its connection.
  public func connectionChanged() { pump() }

  /// Stores the digests in memory that the hub did not get, in one batch.
  public func end() {
    returnUnderWay()
    memory = front.filter { $0.batch == nil }[...] + memory
    guard batches != nil, !memory.isEmpty else { return }
    do throws(DigestStoreError) { try write(memory, replacesOldest: true) } catch {
      log.error("\(memory.count) digests for the hub are lost: \(error)")
    }
  }
}

// MARK: Sending

extension DigestBacklog {
  private func pump() {
    guard let target, target.isConnected else { return }
    while underWay.count < SendingAllowance.window, prepareNext() {
      if let next = allowance.take(at: scheduler.now) {
        timer?.arm(at: next)
        return
      }
      guard var item = takeNext() else { break }
      if item.place == nil {
        lastPlace += 1
        item.place = lastPlace
      }
      underWay.append(item)
      // The digests of a journal are sent in their order, so those before the first one under way are settled. One of a batch that could
      // not be opened comes later, and the hub accepts it.
      item.message.floor = underWay.lazy.filter { $0.message.journal == item.message.journal }.map(\.message.sequence).min() ?? 0
      target.publish(item.message) { [weak self, place = item.place] in self?.settle(place, isAcknowledged: $0) }
    }
    // With a full window, the next acknowledgement continues.
    if underWay.count < SendingAllowance.window, let retry = batches?.nextRetry { timer?.arm(at: retry) }
  }

  /// Opens a batch if it is next; returns false if no digest waits that can be sent.
  private func prepareNext() -> Bool {
    if front.isEmpty, let (number, messages) = batches?.open(at: scheduler.now) {
      front = messages.map { Item(message: $0, size: 0, since: scheduler.now, batch: number) }[...]
    }
    return !front.isEmpty || !memory.isEmpty
  }

  private func takeNext() -> Item? {
    if let item = front.popFirst() { return item }
    guard let item = memory.popFirst() else { return nil }
    memoryCount -= item.size
    return item
  }

  private func settle(_ place: Int64?, isAcknowledged: Bool) {
    guard let index = underWay.firstIndex(where: { $0.place == place }) else { return }
    let item = underWay.remove(at: index)
    if !isAcknowledged { giveBack(item) } else if let number = item.batch { batches?.noteSent(of: number) }
    pump()
  }

  /// Puts a digest back to its place among those that are sent next.
  private func giveBack(_ item: Item) {
    guard isKept(item) else { return }
    let index = front.firstIndex { ($0.place ?? .max) > (item.place ?? .max) } ?? front.endIndex
    front.insert(item, at: index)
  }

  private func returnUnderWay() {
    for item in underWay { giveBack(item) }
    underWay = []
  }

  /// Whether a digest is in memory or in a batch, other than one of a batch that was discarded.
  private func isKept(_ item: Item) -> Bool { item.batch.map { batches?.isOpen($0) == true } ?? true }
}

// MARK: Limits

extension DigestBacklog {
  private var isTooLarge: Bool { memoryCount > Self.memorySize }

  /// Moves digests that have waited for long to the store, and discards the oldest ones beyond the size of memory.
  private func makeRoom() {
    while let first = memory.first, isTooLarge || scheduler.now - first.since > Self.memoryTime {
      if moveFirst() { continue }
      guard isTooLarge else { return }
      discardFirst()
    }
  }

  /// Moves the oldest digests in memory to the store; returns false if it does not take them.
  private func moveFirst() -> Bool {
    // Memory has no room for a pause while older batches can give way.
    let isUrgent = isTooLarge && storeError?.isFull == true && batches?.isEmpty == false
    guard batches != nil, let first = memory.first, scheduler.now >= nextWriting || isUrgent else { return false }
    // After an absence of the store, one batch takes all digests that have waited for too long.
    let overdue = scheduler.now - Self.memoryTime
    let end = (overdue > first.since + Self.batchTime ? overdue : first.since) + Self.batchTime
    let items = memory.prefix { $0.since < end }
    do throws(DigestStoreError) {
      try write(items, replacesOldest: isTooLarge)
    } catch {
      nextWriting = scheduler.now + Self.storePause
      if storeError == nil {
        log.error("digests for the hub cannot be stored: \(error); they wait in memory, and beyond 4 MiB the oldest are lost")
      }
      storeError = error
      return false
    }
    if storeError != nil { log.notice("digests for the hub are stored again") }
    (storeError, nextWriting) = (nil, scheduler.now)
    memory = memory.dropFirst(items.count)
    memoryCount -= items.reduce(0) { $0 + $1.size }
    return true
  }

  private func discardFirst() {
    guard let item = memory.popFirst() else { return }
    memoryCount -= item.size
    discarded += 1
  }

  private func write(_ items: ArraySlice<Item>, replacesOldest: Bool) throws(DigestStoreError) {
    defer { front.removeAll { !isKept($0) } }
    try batches?.write(items.map(\.message), size: items.reduce(0) { $0 + $1.size }, replacesOldest: replacesOldest)
  }
}

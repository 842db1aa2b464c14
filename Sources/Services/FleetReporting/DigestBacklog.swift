import FleetMessages
import Instants
import Logging
import Scheduling

/// The digests on their way to a hub, sent in their order.
///
/// While the hub is reachable, digests stay in memory only. Those of a longer absence go to a store in large batches, because each write
/// wears the flash memory of a small device.
public final class DigestBacklog {
  /// The time for which digests stay in memory.
  public static let memoryTime = Span.seconds(600)
  /// The size of the digests in memory, in octets.
  static let memorySize = 4 << 20
  /// The time of a batch in the store.
  static let batchTime = Span.seconds(300)
  /// The shortest time between two writes to the store, and the shortest time of a batch at the end of the program.
  static let shortestBatch = Span.seconds(60)
  /// The size of the store, in octets.
  public static let storeSize = 64 << 20
  /// The rate at which a backlog is sent in messages per second, in addition to new digests.
  public static let rate = 20.0
  /// The largest number of messages that wait for their acknowledgement.
  static let window = 8

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
  private let store: (any DigestStore)?
  private let journal: StreamJournal
  private let log: Logger
  private var lastSequence: Int64 = 0
  private var lastPlace: Int64 = 0
  /// The digests before those of the store: from a batch that was read, or repeated after the loss of a connection.
  private var front: ArraySlice<Item> = []
  /// The batches that were not read yet, the oldest first.
  private var stored: ArraySlice<StoredDigests> = []
  /// The batches that were read and are not acknowledged, the oldest first, with the number of remaining digests.
  private var opened: [(batch: StoredDigests, remaining: Int)] = []
  private var memory: ArraySlice<Item> = []
  private var memoryCount = 0
  private var underWay: [Item] = []
  private var allowance: SendingAllowance
  private var timer: (any SchedulerTimer)?
  /// The time before which nothing is written to the store again.
  private var storePause = Instant(microseconds: .min)
  private var hasStoreFailed = false
  /// The number of digests that were discarded since the beginning of the numbering.
  public private(set) var dropped: Int64 = 0

  /// The target; nil without one. Another target sends the unacknowledged digests again.
  public var target: (any FleetTarget)? {
    didSet {
      returnUnderWay()
      pump()
    }
  }

  /// - Parameter journal: the random identity of the numbering of new digests.
  public init(_ scheduler: any Scheduler, _ store: (any DigestStore)?, journal: StreamJournal, log: Logger) {
    (self.scheduler, self.store, self.journal, self.log) = (scheduler, store, journal, log)
    allowance = SendingAllowance(perSecond: Self.rate, at: scheduler.now)
    stored = (store?.batches() ?? [])[...]
    timer = scheduler.timer { [unowned self] in pump() }
    if !stored.isEmpty { log.info("\(stored.reduce(0) { $0 + $1.count }) digests of an earlier run wait for the hub") }
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
    while isOverfull { makeRoom() }
  }

  /// Call when the target is connected or has lost its connection.
  public func connectionChanged() { pump() }

  /// Stores the digests in memory that the hub did not get, if they are of a minute or more.
  public func end() {
    returnUnderWay()
    memory = front.filter { $0.batch == nil }[...] + memory
    guard let store, let first = memory.first, let last = memory.last else { return }
    guard last.since - first.since >= Self.shortestBatch else { return }
    do { try write(memory, to: store) } catch { log.error("\(memory.count) digests for the hub are lost: \(error)") }
  }
}

// MARK: Sending

extension DigestBacklog {
  private func pump() {
    guard let target, target.isConnected else { return }
    while underWay.count < Self.window, isWaiting {
      if let next = allowance.take(at: scheduler.now) {
        timer?.arm(at: next)
        return
      }
      guard var item = takeNext() else { return }
      if item.place == nil {
        lastPlace += 1
        item.place = lastPlace
      }
      underWay.append(item)
      // The digests of a journal are sent in their order, so those before the first one under way are settled.
      item.message.floor = underWay.lazy.filter { $0.message.journal == item.message.journal }.map(\.message.sequence).min() ?? 0
      target.publish(item.message) { [weak self, place = item.place] in self?.settle(place, isAcknowledged: $0) }
    }
  }

  private var isWaiting: Bool { !front.isEmpty || !stored.isEmpty || !memory.isEmpty }

  private func takeNext() -> Item? {
    while front.isEmpty, let batch = stored.popFirst() { open(batch) }
    if let item = front.popFirst() { return item }
    guard let item = memory.popFirst() else { return nil }
    memoryCount -= item.size
    return item
  }

  private func open(_ batch: StoredDigests) {
    guard let messages = store?.read(batch) else {
      dropped += Int64(batch.count)
      return
    }
    front = messages.map { Item(message: $0, size: 0, since: scheduler.now, batch: batch.number) }[...]
    opened.append((batch, messages.count))
    if messages.isEmpty { close(batch.number) }
  }

  private func settle(_ place: Int64?, isAcknowledged: Bool) {
    guard let index = underWay.firstIndex(where: { $0.place == place }) else { return }
    let item = underWay.remove(at: index)
    if isAcknowledged { finish(item) } else { giveBack(item) }
    pump()
  }

  private func finish(_ item: Item) {
    guard let number = item.batch, let index = opened.firstIndex(where: { $0.batch.number == number }) else { return }
    opened[index].remaining -= 1
    if opened[index].remaining <= 0 { close(number) }
  }

  private func close(_ number: Int64) {
    for (batch, _) in opened where batch.number == number { store?.remove(batch) }
    opened.removeAll { $0.batch.number == number }
  }

  /// Puts a digest back to its place among those that are sent next.
  private func giveBack(_ item: Item) {
    let index = front.firstIndex { ($0.place ?? .max) > (item.place ?? .max) } ?? front.endIndex
    front.insert(item, at: index)
  }

  private func returnUnderWay() {
    for item in underWay { giveBack(item) }
    underWay = []
  }
}

// MARK: Limits

extension DigestBacklog {
  private var isOverfull: Bool {
    guard let first = memory.first else { return false }
    return scheduler.now - first.since > Self.memoryTime || memoryCount > Self.memorySize
  }

  /// Moves the oldest digests in memory to the store, or discards some if that is impossible.
  private func makeRoom() {
    guard let first = memory.first else { return }
    let batch = memory.prefix { $0.since < first.since + Self.batchTime }
    guard let store, scheduler.now >= storePause else { return discardFirst() }
    storePause = scheduler.now + Self.shortestBatch
    do {
      try write(batch, to: store)
      if hasStoreFailed { log.notice("digests for the hub are stored again") }
      hasStoreFailed = false
      memory = memory.dropFirst(batch.count)
      memoryCount -= batch.reduce(0) { $0 + $1.size }
    } catch {
      if !hasStoreFailed {
        log.error(
          "digests for the hub cannot be stored: \(error); those older than \(Self.memoryTime.text) are lost while it is out of reach")
      }
      hasStoreFailed = true
      discardFirst()
    }
  }

  private func discardFirst() {
    guard let item = memory.popFirst() else { return }
    memoryCount -= item.size
    dropped += 1
  }

  private func write(_ items: ArraySlice<Item>, to store: any DigestStore) throws {
    let size = items.reduce(0) { $0 + $1.size }
    while stored.reduce(opened.reduce(0) { $0 + $1.batch.size }, { $0 + $1.size }) + size > Self.storeSize, discardBatch() {}
    stored.append(try store.write(items.map(\.message)))
  }

  /// Discards the oldest batch of the store; returns false if there is none.
  private func discardBatch() -> Bool {
    if let (batch, remaining) = opened.first {
      front.removeAll { $0.batch == batch.number }
      dropped += Int64(remaining)
      close(batch.number)
      return true
    }
    guard let batch = stored.popFirst() else { return false }
    store?.remove(batch)
    dropped += Int64(batch.count)
    return true
  }
}

import FleetMessages
import Instants
import Logging

/// The batches of digests in a store. Beyond its size the oldest are lost first.
struct DigestBatches {
  /// The time after which batches that could not be opened are tried again.
  static let pause = Span.seconds(60)

  private let store: any DigestStore
  private let log: Logger
  /// The batches that were not read yet, the oldest first.
  private var waiting: [StoredDigests]
  /// The numbers of waiting batches that could not be opened. Later batches are read in the meantime.
  private var postponed: Set<Int64> = []
  private var retry = Instant(microseconds: .min)
  /// The numbers of waiting batches whose last attempt has failed, which is logged once for all.
  private var unreadable: Set<Int64> = []
  /// The batches that were read and are not acknowledged, with the number of remaining digests.
  private var opened: [(batch: StoredDigests, remaining: Int)] = []
  /// The number of lost digests.
  private(set) var lost: Int64 = 0

  /// Takes over what an earlier run has left.
  init(_ store: any DigestStore, log: Logger) {
    (self.store, self.log, waiting) = (store, log, store.batches())
    if !waiting.isEmpty { log.info("\(waiting.reduce(0) { $0 + $1.count }) digests of an earlier run wait for the hub") }
  }

  var isEmpty: Bool { waiting.isEmpty && opened.isEmpty }

  /// The time at which a batch that could not be opened is tried again; nil without one.
  var nextRetry: Instant? { postponed.isEmpty ? nil : retry }

  func isOpen(_ number: Int64) -> Bool { opened.contains { $0.batch.number == number } }

  /// Opens the oldest batch, and returns its number and messages; nil if none can be opened at present.
  mutating func open(at now: Instant) -> (number: Int64, messages: [FleetMessage])? {
    if now >= retry { postponed = [] }
    while let index = waiting.firstIndex(where: { !postponed.contains($0.number) }) {
      let batch = waiting[index]
      let wasUnreadable = unreadable.contains(batch.number)
      switch store.read(batch) {
      case .messages(let messages):
        remove(at: index)
        if wasUnreadable, unreadable.isEmpty { log.notice("stored digests for the hub can be opened again") }
        opened.append((batch, messages.count))
        guard messages.isEmpty else { return (batch.number, messages) }
        close(batch.number)
      case .lost:
        remove(at: index)
        lost += Int64(batch.count)
      case .unavailable(let reason):
        if unreadable.isEmpty { log.error("\(reason); the digests for the hub in this file wait until it can be opened") }
        unreadable.insert(batch.number)
        if postponed.isEmpty { retry = now + Self.pause }
        postponed.insert(batch.number)
      }
    }
    return nil
  }

  /// Notes that the hub has a digest of an opened batch.
  mutating func noteSent(of number: Int64) {
    guard let index = opened.firstIndex(where: { $0.batch.number == number }) else { return }
    opened[index].remaining -= 1
    if opened[index].remaining <= 0 { close(number) }
  }

  /// Stores a batch, in place of the oldest ones beyond the size of the store.
  ///
  /// - Parameters:
  ///   - size: the size of the messages in octets.
  ///   - replacesOldest: whether the oldest batches also give way on a full disk.
  mutating func write(_ messages: [FleetMessage], size: Int, replacesOldest: Bool) throws(DigestStoreError) {
    while (opened.map(\.batch) + waiting).reduce(size, { $0 + $1.size }) > DigestBacklog.storeSize, discardOldest() {}
    while true {
      do throws(DigestStoreError) {
        waiting.append(try store.write(messages))
        return
      } catch {
        guard error.isFull, replacesOldest, discardOldest() else { throw error }
      }
    }
  }

  /// Discards the oldest batch; returns false if there is none.
  private mutating func discardOldest() -> Bool {
    if let (batch, remaining) = opened.min(by: { $0.batch.number < $1.batch.number }), batch.number < waiting.first?.number ?? .max {
      lost += Int64(remaining)
      close(batch.number)
      return true
    }
    guard let batch = waiting.first else { return false }
    remove(at: 0)
    store.remove(batch)
    lost += Int64(batch.count)
    return true
  }

  private mutating func remove(at index: Int) {
    let number = waiting.remove(at: index).number
    postponed.remove(number)
    unreadable.remove(number)
  }

  private mutating func close(_ number: Int64) {
    for (batch, _) in opened where batch.number == number { store.remove(batch) }
    opened.removeAll { $0.batch.number == number }
  }
}

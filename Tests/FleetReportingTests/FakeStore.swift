import FleetMessages
import FleetReporting

/// A disk for digests that a test lets fail, and that survives a restart.
final class FakeStore: DigestStore {
  /// The error of each write; nil for none.
  var error: DigestStoreError?
  /// The number of batches that the disk has room for.
  var capacity = Int.max
  /// The numbers of the damaged batches.
  var damaged: Set<Int64> = []
  /// The numbers of the batches that cannot be opened at present.
  var closed: Set<Int64> = []
  /// The size of each batch in place of the real one; nil for the real one.
  var size: Int?
  private(set) var writes = 0
  private(set) var failedReads = 0
  private(set) var content: [(batch: StoredDigests, messages: [FleetMessage])] = []

  func batches() -> [StoredDigests] { content.map(\.batch) }

  func write(_ messages: [FleetMessage]) throws(DigestStoreError) -> StoredDigests {
    if let error { throw error }
    guard content.count < capacity else { throw DigestStoreError("no room", isFull: true) }
    writes += 1
    let batch = StoredDigests(
      number: Int64(writes), count: messages.count, size: size ?? messages.reduce(0) { $0 + $1.octets.count })
    content.append((batch, messages))
    return batch
  }

  func read(_ batch: StoredDigests) -> StoredContent {
    guard !closed.contains(batch.number) else {
      failedReads += 1
      return .unavailable("batch \(batch.number)")
    }
    guard !damaged.contains(batch.number), let found = content.first(where: { $0.batch == batch }) else {
      remove(batch)
      return .lost
    }
    return .messages(found.messages)
  }

  func remove(_ batch: StoredDigests) { content.removeAll { $0.batch == batch } }
}

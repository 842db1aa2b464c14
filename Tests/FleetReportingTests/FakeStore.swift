import FleetMessages
import FleetReporting

/// A disk for digests that a test lets fail, and that survives a restart.
final class FakeStore: DigestStore {
  struct DiskFull: Error {}

  var isFull = false
  /// The numbers of the batches that cannot be read.
  var damaged: Set<Int64> = []
  /// The size of each batch in place of the real one; nil for the real one.
  var size: Int?
  private(set) var writes = 0
  private(set) var content: [(batch: StoredDigests, messages: [FleetMessage])] = []

  func batches() -> [StoredDigests] { content.map(\.batch) }

  func write(_ messages: [FleetMessage]) throws -> StoredDigests {
    if isFull { throw DiskFull() }
    writes += 1
    let batch = StoredDigests(
      number: Int64(writes), count: messages.count, size: size ?? messages.reduce(0) { $0 + $1.octets.count })
    content.append((batch, messages))
    return batch
  }

  func read(_ batch: StoredDigests) -> [FleetMessage]? {
    let found = content.first { $0.batch == batch }?.messages
    guard !damaged.contains(batch.number) else {
      remove(batch)
      return nil
    }
    return found
  }

  func remove(_ batch: StoredDigests) { content.removeAll { $0.batch == batch } }
}

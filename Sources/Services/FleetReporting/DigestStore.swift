import FleetMessages

/// The disk for digests that memory does not hold.
public protocol DigestStore: AnyObject {
  /// Returns the batches that an earlier run has left, the oldest first.
  func batches() -> [StoredDigests]
  /// Stores a batch, which then survives a loss of power.
  func write(_ messages: [FleetMessage]) throws -> StoredDigests
  /// Returns the messages of a batch; nil for a damaged one, which the store has moved aside and logged.
  func read(_ batch: StoredDigests) -> [FleetMessage]?
  func remove(_ batch: StoredDigests)
}

/// A batch of digests in a store.
public struct StoredDigests: Hashable, Sendable {
  /// The number of the batch; later batches have larger ones.
  public let number: Int64
  /// The number of messages in the batch.
  public let count: Int
  /// The size of the batch in octets.
  public let size: Int

  public init(number: Int64, count: Int, size: Int) {
    (self.number, self.count, self.size) = (number, count, size)
  }
}

import FleetMessages

/// The disk for digests that memory does not hold.
public protocol DigestStore: AnyObject {
  /// Returns the batches that an earlier run has left, the oldest first.
  func batches() -> [StoredDigests]
  /// Stores a batch, which then survives a loss of power.
  func write(_ messages: [FleetMessage]) throws(DigestStoreError) -> StoredDigests
  /// Returns the content of a batch.
  func read(_ batch: StoredDigests) -> StoredContent
  func remove(_ batch: StoredDigests)
}

/// The content of a batch in a store.
public enum StoredContent: Hashable, Sendable {
  case messages([FleetMessage])
  /// The batch is damaged or missing, which the store has logged.
  case lost
  /// The batch cannot be opened at present, for this reason.
  case unavailable(String)
}

/// The reason for which a store does not take a batch.
public struct DigestStoreError: Error, Hashable, CustomStringConvertible {
  public let description: String
  /// Whether the store has no room, so that it may take the batch when another one is removed.
  public let isFull: Bool

  public init(_ description: String, isFull: Bool) { (self.description, self.isFull) = (description, isFull) }
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

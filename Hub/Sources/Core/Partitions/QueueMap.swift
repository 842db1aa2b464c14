import FleetMessages

/// The queues of a hub at its broker. Each queue takes the messages of the same number of partitions, give or take one.
public struct QueueMap: Hashable, Sendable {
  /// The number of queues of a fleet unless its operator chooses another.
  public static let usualQueues = 8

  public let queues: Int

  /// Nil unless the number of queues is between 1 and the number of partitions.
  public init?(queues: Int) {
    guard (1...FleetAddress.partitions).contains(queues) else { return nil }
    self.queues = queues
  }

  /// Returns the number of the queue that takes the messages of a partition.
  public func queue(ofPartition partition: Int) -> Int { partition % queues }

  /// Returns the name of a queue at the broker.
  public static func name(ofQueue queue: Int) -> String { "fleet.\(queue)" }

  /// Returns the patterns of routing keys that a queue takes.
  /// They match no topic of messages to devices, which has a level more.
  public func patterns(ofQueue queue: Int) -> [String] {
    stride(from: queue, to: FleetAddress.partitions, by: queues).map { "fleet.v1.\($0).*.*" }
  }
}

import FleetStatus
import Partitions

/// The error of a server that does not answer.
public struct SilentServer: Error, Hashable, CustomStringConvertible {
  public var description: String
  /// Whether the server refused because its disk is full.
  public var isOfFullDisk: Bool

  public init(_ description: String, isOfFullDisk: Bool = false) { (self.description, self.isOfFullDisk) = (description, isOfFullDisk) }
}

/// A link to the database for the status.
public protocol StatusStore {
  /// Returns the status, without the parts that only the broker and the files of this machine know.
  func status() throws -> FleetStatus
  /// Returns whether the disk of the database is full.
  func hasFullDisk() throws -> Bool
  /// Returns the map of queues.
  func queues() throws -> QueueMap
}

/// A node of the broker.
public protocol StatusNode {
  /// Returns the number of messages that wait in each queue.
  func backlogs(of map: QueueMap) throws(SilentServer) -> [Int]
  /// Returns the resource that the broker lacks, such as `disk`; nil if it takes messages.
  func alarm() throws(SilentServer) -> String?
}

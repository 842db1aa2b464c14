import EventLoop
import FleetMessages
import FleetReporting

/// The file of the rollouts, which every program that reads the configuration may read.
public final class RolloutFile: RolloutStore {
  private let path: String

  /// - Parameter path: the path of the file, whose folder must exist.
  public init(path: String) {
    self.path = path
  }

  public func read() throws -> [UInt8]? {
    // One octet more shows that the file is larger, and thus damaged.
    try FileContent.octets(ofOptional: path, limit: RolloutRecord.largest + 1, followsLinks: false)
  }

  public func write(_ octets: [UInt8]) throws { try NewFile(of: path, octets: octets).install() }
}

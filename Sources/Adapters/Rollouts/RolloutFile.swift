import EventLoop
import FleetMessages
import FleetReporting
import Glibc

/// The file of the rollouts, which every program that reads the configuration may read.
public final class RolloutFile: RolloutStore {
  private let path: String

  /// - Parameter path: the path of the file, whose folder must exist.
  public init(path: String) {
    self.path = path
  }

  public func read() throws -> [UInt8]? {
    let raw = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard raw >= 0 else {
      if errno == ENOENT { return nil }
      throw SystemCallError.last("open", path)
    }
    let file = FileDescriptor(owning: raw)
    // One octet more shows that the file is larger, and thus damaged.
    var octets = [UInt8](repeating: 0, count: RolloutRecord.largest + 1)
    let count = Glibc.read(file.number, &octets, octets.count)
    guard count >= 0 else { throw SystemCallError.last("read", path) }
    return Array(octets.prefix(count))
  }

  public func write(_ octets: [UInt8]) throws { try NewFile(of: path, octets: octets).install() }
}

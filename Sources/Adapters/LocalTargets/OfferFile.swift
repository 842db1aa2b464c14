import EventLoop
import Glibc
import Notification
import SQLite

/// The file `nearby`: the decisions of a user about the offers of venues, and the visits.
///
/// Each change replaces the whole file under a lock, so that the notifier and `beaconmon venue` can both write it, and a crash leaves
/// either the old or the new one.
public final class OfferFile: OfferHistoryFile {
  /// The name of the file in the folder of the notifier's state.
  public static let name = "nearby"
  private static let most = 1 << 20

  public let path: String

  /// - Parameter path: the path of the file, whose folder must exist.
  public init(path: String) {
    self.path = path
  }

  public func whileLocked<Value>(_ body: () throws -> Value) throws -> Value {
    let lock = try Self.lock(path + ".lock")
    defer { withExtendedLifetime(lock) {} }
    return try body()
  }

  public func read() throws -> String? {
    try FileContent.octets(ofOptional: path, limit: Self.most + 1).map { String(decoding: $0, as: UTF8.self) }
  }

  // Only its owner may read it, because it says where the user was.
  public func write(_ text: String) throws { try NewFile.replacePrivate(path, with: text, isDurable: true) }

  public func moveAside() -> String? { UnreadableFile.moveAside(path) }
  public var hasMovedAside: Bool { UnreadableFile.hasMovedAside(path) }

  /// Waits until no other program changes the file. The lock lasts as long as the result.
  private static func lock(_ path: String) throws(SystemCallError) -> LockedFile {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemCallError.last("open", path) }
    let file = LockedFile(FileDescriptor(owning: descriptor))
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw SystemCallError.last("flock", path) }
    }
    return file
  }
}

/// A descriptor whose lock ends with it.
private final class LockedFile {
  private let descriptor: FileDescriptor

  init(_ descriptor: consuming FileDescriptor) {
    self.descriptor = descriptor
  }
}

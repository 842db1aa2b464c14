import EventLoop
import Glibc
import Logging
import Notification
import SQLite
import Venues

/// The file `nearby`: the decisions of a user about the offers of venues, and the visits.
///
/// Each change replaces the whole file under a lock, so that the notifier and `beaconmon venue` can both write it, and a crash leaves
/// either the old or the new one. A damaged file is moved aside: its intact entries are kept, and venues without one count as muted.
public final class OfferFile: OfferLedgerFile {
  /// The name of the file in the folder of the notifier's state.
  public static let name = "nearby"
  private static let most = 1 << 20

  private let path: String?
  private let log: Logger
  /// The ledger that could not be stored; nil while the file is up to date.
  private var unsaved: OfferLedger?
  /// The failure in the last log line.
  private var logged: String?

  /// - Parameter path: the path of the file, whose folder must exist; nil keeps the ledger in memory.
  public init(path: String?, log: Logger) {
    self.path = path
    self.log = log
  }

  @discardableResult
  public func update<Value>(_ change: (inout OfferLedger) -> Value) -> Value {
    guard let path else {
      var ledger = unsaved ?? OfferLedger()
      defer { unsaved = ledger }
      return change(&ledger)
    }
    do throws(SystemCallError) {
      let lock = try Self.lock(path + ".lock")
      defer { withExtendedLifetime(lock) {} }
      var ledger = if let unsaved { unsaved } else { try read(path) }
      let before = ledger
      let value = change(&ledger)
      if ledger != before || unsaved != nil {
        unsaved = ledger
        try Self.write(ledger.text, to: path)
        unsaved = nil
      }
      logged = nil
      return value
    } catch {
      fail(error)
      // Without the file, no earlier decision is known.
      var ledger = unsaved ?? OfferLedger(isDoubtful: true)
      let value = change(&ledger)
      unsaved = ledger
      return value
    }
  }

  private func fail(_ error: SystemCallError) {
    let text = "\(error); the decisions about the offers of venues are kept in memory until the file can be used"
    guard logged != text else { return }
    logged = text
    log.error("\(text)")
  }

  // MARK: File

  private func read(_ path: String) throws(SystemCallError) -> OfferLedger {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return OfferLedger() }
      throw SystemCallError.last("open", path)
    }
    let file = FileDescriptor(owning: descriptor)
    var octets: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while octets.count <= Self.most {
      let count = Glibc.read(file.number, &buffer, buffer.count)
      if count < 0 { throw SystemCallError.last("read", path) }
      if count == 0 { break }
      octets += buffer[..<count]
    }
    let (ledger, isDamaged) = OfferLedger.read(String(decoding: octets, as: UTF8.self))
    if isDamaged {
      let name = UnreadableFile.moveAside(path)
      log.error(
        """
        \(path) was damaged\(name.map { " and was moved to \($0)" } ?? ""); \(ledger.entries.count) of its venues are known, and the others are \
        muted until `beaconmon venue unmute --all`
        """)
      if name != nil { try Self.write(ledger.text, to: path) }
    }
    return ledger
  }

  /// Replaces the file. Only its owner may read it, because it says where the user was.
  private static func write(_ text: String, to path: String) throws(SystemCallError) {
    let new = path + ".new"
    unlink(new)
    let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemCallError.last("open", new) }
    let file = FileDescriptor(owning: descriptor)
    var octets = Array(text.utf8)[...]
    while !octets.isEmpty {
      let count = octets.withUnsafeBytes { Glibc.write(file.number, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        throw SystemCallError.last("write", new)
      }
      octets = octets.dropFirst(count)
    }
    guard fsync(file.number) == 0 else { throw SystemCallError.last("fsync", new) }
    guard rename(new, path) == 0 else { throw SystemCallError.last("rename", path) }
  }

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

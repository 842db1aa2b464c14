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
public final class OfferFile: OfferHistoryFile {
  /// The name of the file in the folder of the notifier's state.
  public static let name = "nearby"
  private static let most = 1 << 20

  /// The maximum number of changes that wait for the file. The oldest ones are dropped first.
  private static let mostPending = 1024

  private let path: String?
  private let log: Logger
  /// The changes that are not stored, in their order. They are repeated on the history of the file as soon as it can be read.
  private var pending: [(inout OfferHistory) -> Void] = []
  /// The history with the pending changes; nil if there are none.
  ///
  /// It only answers and is never written. It is unverified if the file was not read.
  private var unsaved: OfferHistory?
  /// The failure in the last log line.
  private var logged: String?
  public private(set) var failure: String?

  /// - Parameter path: the path of the file, whose folder must exist; nil keeps the history in memory.
  public init(path: String?, log: Logger) {
    self.path = path
    self.log = log
  }

  @discardableResult
  public func update<Value>(_ change: @escaping (inout OfferHistory) -> Value) -> Value {
    do throws(SystemCallError) {
      let value = try store(change)
      (failure, logged) = (nil, nil)
      return value
    } catch {
      fail(error)
      // Without the file, no earlier decision is known.
      var history = unsaved ?? OfferHistory(isUnverified: true)
      let before = history
      let value = change(&history)
      if history != before {
        unsaved = history
        pending.append { _ = change(&$0) }
        if pending.count > Self.mostPending { pending.removeFirst() }
      }
      return value
    }
  }

  /// Reads the file, applies a change and stores the result. Throws if the change is not stored, and then forgets it.
  @discardableResult
  public func store<Value>(_ change: (inout OfferHistory) -> Value) throws(SystemCallError) -> Value {
    guard let path else {
      var history = unsaved ?? OfferHistory()
      defer { unsaved = history }
      return change(&history)
    }
    let lock = try Self.lock(path + ".lock")
    defer { withExtendedLifetime(lock) {} }
    let stored = try read(path)
    var history = stored
    for earlier in pending { earlier(&history) }
    let known = history
    let value = change(&history)
    if history != stored {
      do throws(SystemCallError) {
        // Only its owner may read it, because it says where the user was.
        try NewFile.replacePrivate(path, with: history.text, isDurable: true)
      } catch {
        unsaved = known
        throw error
      }
    }
    (unsaved, pending) = (nil, [])
    return value
  }

  private func fail(_ error: SystemCallError) {
    failure = "\(error)"
    let text = "\(error); the decisions about the offers of venues are kept in memory until the file can be used"
    guard logged != text else { return }
    logged = text
    log.error("\(text)")
  }

  // MARK: File

  private func read(_ path: String) throws(SystemCallError) -> OfferHistory {
    let octets: [UInt8]
    do throws(SystemCallError) { octets = try FileContent.octets(of: path, limit: Self.most + 1) } catch {
      // A damaged file was moved aside, and its successor was never written.
      if error.code == ENOENT { return OfferHistory(isUnverified: UnreadableFile.hasMovedAside(path)) }
      throw error
    }
    let (history, isDamaged) = OfferHistory.read(String(decoding: octets, as: UTF8.self))
    if isDamaged {
      let name = UnreadableFile.moveAside(path)
      log.error(
        """
        \(path) was damaged\(name.map { " and was moved to \($0)" } ?? ""); \(history.entries.count) of its venues are known, and the others are \
        muted until `beaconmon venue unmute --all`
        """)
      if name != nil {
        // The file is gone, so the intact entries are a change to the next one, which must not be lost if it cannot be written.
        pending.insert({ $0.restore(history) }, at: 0)
        return OfferHistory()
      }
    }
    return history
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

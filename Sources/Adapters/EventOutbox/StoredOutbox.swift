import EventLoop
import Failures
import Logging
import Notification
import SQLite

/// The outbox of a notifier: on disk, or in memory if there is no place for it or its disk fails.
public struct StoredOutbox {
  public let outbox: Outbox
  /// The file that cannot be opened at present; nil unless its disk fails.
  public let failedFile: (any OutboxFile)?

  /// Opens the outbox, and logs its damage and its unsafe permissions.
  ///
  /// - Parameters:
  ///   - path: the path of the file; nil for an outbox that ends with the process.
  ///   - device: a prefix that distinguishes the messages of this device from those of others.
  /// - Throws: the reason why the content of the file cannot be read, or why there is not even an outbox in memory.
  public init(_ loop: Loop, path: String?, device: String, log: Logger) throws(Failure) {
    let file = path.map { StoredOutboxFile(loop, $0, device, log) }
    do throws(DatabaseError) {
      if let file {
        (outbox, failedFile) = (try file.opened(), nil)
        return
      }
    } catch {
      if let reason = error.unreadableOutbox { throw Failure(.dataError, reason) }
      file?.failure = "\(error)"
    }
    do throws(DatabaseError) { (outbox, failedFile) = (try Outbox(loop, path: nil, device: device), file) } catch {
      throw Failure(.osError, "\(error)")
    }
  }
}

/// The outbox file of a notifier, which its disk may refuse to open at the start.
private final class StoredOutboxFile: OutboxFile {
  /// The reason of the first failure.
  var failure = ""
  private let loop: Loop
  private let path: String
  private let device: String
  private let log: Logger

  init(_ loop: Loop, _ path: String, _ device: String, _ log: Logger) {
    (self.loop, self.path, self.device, self.log) = (loop, path, device, log)
  }

  func open() -> OutboxOpening {
    do throws(DatabaseError) { return .opened(try opened()) } catch {
      return error.unreadableOutbox.map { .unreadable($0) } ?? .failed
    }
  }

  /// Opens the outbox, and logs its damage and its unsafe permissions.
  func opened() throws(DatabaseError) -> Outbox {
    let outbox = try Outbox(loop, path: path, device: device)
    if let note = outbox.note { log.error("\(note)") }
    if let warning = outbox.permissionWarning { log.warning("\(warning)") }
    return outbox
  }
}

extension DatabaseError {
  /// The reason and advice for an outbox file with unreadable content; nil for other errors.
  fileprivate var unreadableOutbox: String? {
    guard isUnreadable else { return nil }
    return "\(path): \(message); move it away, or restart the notifier, which moves it aside and keeps the readable deliveries"
  }
}

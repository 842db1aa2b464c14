import EventLoop
import EventOutbox
import Failures
import Logging
import Notification
import SQLite

/// The outbox of the notifier: on disk, or in memory if there is no place for it or its disk fails.
struct NotifierOutbox {
  let outbox: Outbox
  /// The file that cannot be opened at present; nil unless its disk fails.
  let failedFile: (any OutboxFile)?

  init(_ loop: Loop, _ state: StateFolder, _ log: Logger) throws(Failure) {
    var file: FailedOutboxFile?
    if let path = state.outbox {
      try state.make()
      do throws(DatabaseError) {
        (outbox, failedFile) = (try FailedOutboxFile.open(loop, path, log), nil)
        return
      } catch {
        if let reason = error.unreadableOutbox { throw Failure(.dataError, reason) }
        file = FailedOutboxFile(loop, path, error, log)
      }
    }
    do throws(DatabaseError) { (outbox, failedFile) = (try Outbox(loop, path: nil, device: TargetFactory.device), file) } catch {
      throw Failure(.osError, "\(error)")
    }
  }
}

/// The outbox file of a notifier that could not open it at the start.
private final class FailedOutboxFile: OutboxFile {
  let failure: String
  private let loop: Loop
  private let path: String
  private let log: Logger

  init(_ loop: Loop, _ path: String, _ failure: DatabaseError, _ log: Logger) {
    self.loop = loop
    self.path = path
    self.failure = "\(failure)"
    self.log = log
  }

  func open() -> OutboxOpening {
    do throws(DatabaseError) { return .opened(try Self.open(loop, path, log)) } catch {
      return error.unreadableOutbox.map { .unreadable($0) } ?? .failed
    }
  }

  /// Opens the outbox, and logs its damage and its unsafe permissions.
  static func open(_ loop: Loop, _ path: String, _ log: Logger) throws(DatabaseError) -> Outbox {
    let outbox = try Outbox(loop, path: path, device: TargetFactory.device)
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

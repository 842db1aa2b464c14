import Glibc

/// The mark of an earlier failed start on the same outbox: the file `outbox.db.failed` with the reason.
///
/// The mark is on the disk because a failed start ends the process. If it cannot be written, the outbox could not be moved aside either.
struct FailedStart {
  private let path: String

  init(_ file: String) {
    path = file + ".failed"
  }

  var isKnown: Bool { access(path, F_OK) == 0 }

  func note(_ reason: String) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    // Only the existence of the file matters; the reason helps an administrator.
    let octets = Array("\(reason)\n".utf8)
    _ = write(descriptor, octets, octets.count)
    fsync(descriptor)
    close(descriptor)
  }

  func forget() {
    unlink(path)
  }
}

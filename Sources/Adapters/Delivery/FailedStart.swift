import Glibc

/// Whether an earlier start failed on the same file: a file beside it, `outbox.db.failed`, that says why.
///
/// It is on the disk and not in memory, because a start that fails ends the process. Where it cannot be written nothing could be moved aside either.
struct FailedStart {
  private let path: String

  init(_ file: String) {
    path = file + ".failed"
  }

  var isKnown: Bool { access(path, F_OK) == 0 }

  func note(_ reason: String) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    // The reason is for people; that the file is there is what counts.
    let octets = Array("\(reason)\n".utf8)
    _ = write(descriptor, octets, octets.count)
    fsync(descriptor)
    close(descriptor)
  }

  func forget() {
    unlink(path)
  }
}

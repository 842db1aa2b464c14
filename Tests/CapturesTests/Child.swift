import Glibc
import Testing

/// A program of the system that a test needs as its peer.
struct Child {
  private let process: pid_t

  init(_ path: String, _ arguments: [String]) throws {
    var process: pid_t = 0
    let argv = ([path] + arguments).map { strdup($0) } + [nil]
    defer { argv.forEach { free($0) } }
    try #require(posix_spawn(&process, path, nil, nil, argv, environ) == 0)
    self.process = process
  }

  /// Zero when it ended well.
  func wait() -> CInt {
    var status: CInt = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    return status
  }
}

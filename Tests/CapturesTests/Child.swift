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

/// A folder of its own for the body, removed with the files in it.
func withTemporaryFolder(_ body: (String) throws -> Void) throws {
  var template = Array("/tmp/beaconmon-tests-XXXXXX".utf8CString)
  let folder = String(cString: try #require(mkdtemp(&template)))
  defer {
    if let directory = opendir(folder) {
      while let entry = readdir(directory) {
        unlink(
          folder + "/"
            + withUnsafePointer(to: entry.pointee.d_name) { String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self)) })
      }
      closedir(directory)
    }
    rmdir(folder)
  }
  try body(folder)
}

import EventLoop
import Glibc

/// The files of a machine below a root, which is a folder in tests.
public struct MachineFiles: Sendable {
  /// The path of the root without a slash at its end: empty for this machine.
  private let root: String

  public init(root: String? = nil) {
    self.root = root.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 } ?? ""
  }

  /// Returns the path of a file of the machine, which begins with a slash, in the file system of this process.
  public func path(_ path: String) -> String { root + path }

  func exists(_ path: String) -> Bool { access(root + path, F_OK) == 0 }

  func names(in folder: String) -> [String] { Folder.names(in: root + folder) }

  /// Returns the beginning of a file, at most `limit` octets.
  func text(_ path: String, limit: Int = 1 << 16) throws(SystemCallError) -> String {
    let descriptor = open(root + path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last("open", path) }
    let file = FileDescriptor(owning: descriptor)
    var octets: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while octets.count < limit {
      let count = read(file.number, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .last("read", path) }
      if count == 0 { break }
      octets += chunk[..<count]
    }
    return String(decoding: octets.prefix(limit), as: UTF8.self)
  }

  /// Returns the first line of a file; nil if it cannot be read.
  func line(_ path: String) -> String? {
    do throws(SystemCallError) {
      return try text(path, limit: 4096).split(separator: "\n", omittingEmptySubsequences: false).first.map(String.init)
    } catch {
      return nil
    }
  }

  /// Returns a path without symbolic links; nil if there is no such file.
  func resolved(_ path: String) -> String? {
    guard let resolved = realpath(root + path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Returns the records of the kernel's log, as dmesg(1) shows them. They are the lines of a file in tests.
  func kernelLog() throws(SystemCallError) -> [Substring] {
    let descriptor = open(root + "/dev/kmsg", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .last("open", "/dev/kmsg") }
    let file = FileDescriptor(owning: descriptor)
    var lines: [Substring] = []
    var chunk = [UInt8](repeating: 0, count: 8192)
    // A busy kernel may write as fast as this reads.
    for _ in 0..<Self.mostRecords {
      let count = read(file.number, &chunk, chunk.count)
      if count > 0 {
        lines += String(decoding: chunk[..<count], as: UTF8.self).split(separator: "\n")
      } else if count == 0 || errno == EAGAIN {
        break
      } else if errno != EINTR && errno != EPIPE {
        // EPIPE: the kernel has overwritten records in between.
        throw .last("read", "/dev/kmsg")
      }
    }
    return lines
  }

  private static let mostRecords = 100_000
}

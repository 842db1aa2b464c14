import EventLoop
import Glibc

/// A file that cannot be read, written or trusted, with the remedy.
public struct LocalFileError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }

  /// Describes the last failure of a system call.
  init(failedCall path: String, code: Int32 = errno) { self.init("\(path): \(String(cString: strerror(code)))") }
}

/// The files that an administrator names.
public enum LocalFiles {
  /// Returns the octets of a file, or of what a FIFO delivers.
  ///
  /// Throws if it cannot be read, or has more than `limit` octets.
  public static func octets(of path: String, limit: Int) throws(LocalFileError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw LocalFileError(failedCall: path) }
    defer { close(descriptor) }
    return try octets(of: descriptor, path, limit: limit)
  }

  /// Returns the octets of a secret. Throws also if another user than its owner may read it.
  public static func secret(of path: String, limit: Int) throws(LocalFileError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw LocalFileError(failedCall: path) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw LocalFileError(failedCall: path) }
    guard status.st_mode & 0o077 == 0 else { throw LocalFileError("\(path) can be read by others; run \"chmod 600 \(path)\"") }
    return try octets(of: descriptor, path, limit: limit)
  }

  private static func octets(of descriptor: Int32, _ path: String, limit: Int) throws(LocalFileError) -> [UInt8] {
    var octets: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw LocalFileError(failedCall: path) }
      guard count > 0 else { return octets }
      octets += buffer[..<count]
      guard octets.count <= limit else { throw LocalFileError("\(path) has more than \(limit) octets; remove a part of it") }
    }
  }

  /// Writes a new file that only its owner can read. Throws for a file that exists, which stays as it is.
  public static func createSecret(_ octets: [UInt8], _ path: String) throws(LocalFileError) {
    do throws(SystemCallError) {
      try NewFile(of: path, octets: octets, mode: 0o600).install(replaces: false)
    } catch {
      throw LocalFileError(failedCall: path, code: error.code)
    }
  }

  /// Returns the beginning of a file as text, at most 64 KiB; nil if it cannot be read.
  public static func text(of path: String) -> String? {
    guard let stream = fopen(path, "re") else { return nil }
    defer { fclose(stream) }
    var octets = [UInt8](repeating: 0, count: 65_536)
    // A slice of `octets` in the same expression would have the octets before the call.
    octets.removeLast(octets.count - fread(&octets, 1, octets.count, stream))
    return ferror(stream) == 0 ? String(validating: octets, as: UTF8.self) : nil
  }

  /// Throws if a file cannot be read.
  ///
  /// - Parameter advice: the remedy if the file does not exist
  public static func requireReadable(_ path: String, or advice: String) throws(LocalFileError) {
    guard access(path, R_OK) != 0 else { return }
    let reason = errno
    throw LocalFileError(
      "\(path) cannot be read: \(String(cString: strerror(reason))); "
        + (reason == EACCES ? "the services need \"chgrp beaconmon-hub\" and \"chmod 640\" for it, and for its folder 750" : advice))
  }
}

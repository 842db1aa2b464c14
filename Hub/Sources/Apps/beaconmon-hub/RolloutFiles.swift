import ArgumentParser
import Glibc
import Sodium

/// The files of rollouts: keys, drop-ins, and signed rollouts.
enum RolloutFiles {
  /// Returns the octets of a file of at most `limit` octets.
  static func octets(of path: String, limit: Int) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    var octets: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(path) }
      guard count > 0 else { return octets }
      octets += buffer[..<count]
      guard octets.count <= limit else { throw ValidationError("\(path) has more than \(limit) octets; remove a part of it") }
    }
  }

  /// Writes a file that only its owner can read. A file that exists stays as it is.
  static func create(_ octets: [UInt8], _ path: String, mode: mode_t) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw failure(path) }
    let isWritten = write(octets, to: descriptor) && fsync(descriptor) == 0
    let code = errno
    close(descriptor)
    guard isWritten else {
      unlink(path)
      throw ValidationError("\(path): \(String(cString: strerror(code)))")
    }
  }

  /// Writes octets to an open file, and returns false if it fails.
  static func write(_ octets: [UInt8], to descriptor: Int32) -> Bool {
    var rest = octets[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Writes a new key.
  static func create(_ key: SigningKey, _ path: String) throws {
    try create(Array(key.file.utf8), path, mode: 0o600)
  }

  /// Reads a key. Refuses a file that others can read.
  static func key(_ path: String) throws -> SigningKey {
    var status = stat()
    guard stat(path, &status) == 0 else { throw failure(path) }
    guard status.st_mode & 0o077 == 0 else { throw ValidationError("\(path) can be read by others; run \"chmod 600 \(path)\"") }
    let text = String(decoding: try octets(of: path, limit: 1024), as: UTF8.self)
    guard let key = try SigningKey(file: text) else {
      throw ValidationError("\(path) is not a key of rollouts; \"beaconmon-hub admin rollout key\" makes one")
    }
    return key
  }

  private static func failure(_ path: String) -> ValidationError { ValidationError("\(path): \(String(cString: strerror(errno)))") }
}

import Glibc

/// Reads files that a program needs as a whole.
public enum FileContent {
  /// Returns the first `limit` octets of a file.
  ///
  /// A caller that refuses longer files reads one octet more than it accepts. A FIFO or a terminal at the path does not block the caller:
  /// it is empty, or its read fails with EAGAIN.
  ///
  /// - Parameter followsLinks: false refuses a symbolic link at the end of the path with ELOOP.
  /// - Throws: the failed call; the code of a file that does not exist is ENOENT, that of a folder EISDIR.
  public static func octets(of path: String, limit: Int, followsLinks: Bool = true) throws(SystemCallError) -> [UInt8] {
    let raw = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (followsLinks ? 0 : O_NOFOLLOW))
    guard raw >= 0 else { throw .last("open", path) }
    let file = FileDescriptor(owning: raw)
    var octets: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(limit, 1 << 16))
    while octets.count < limit {
      let count = read(file.number, &chunk, min(chunk.count, limit - octets.count))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .last("read", path) }
      if count == 0 { break }
      octets += chunk[..<count]
    }
    return octets
  }
  /// Returns the first `limit` octets of a file; nil if the file does not exist.
  ///
  /// Otherwise as `octets(of:limit:followsLinks:)`.
  public static func octets(ofOptional path: String, limit: Int, followsLinks: Bool = true) throws(SystemCallError) -> [UInt8]? {
    do throws(SystemCallError) { return try octets(of: path, limit: limit, followsLinks: followsLinks) } catch {
      guard error.code == ENOENT else { throw error }
      return nil
    }
  }
}

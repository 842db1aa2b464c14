import Glibc

/// The space of the file system that holds a path.
public struct FileSystemSpace: Sendable {
  /// The octets that this user may still write; nil for a file system without blocks.
  public let freeOctets: UInt64?
  /// The files that this user may still create; nil for a file system without a limit.
  public let freeFiles: UInt64?
  public let isReadOnly: Bool

  public init(of path: String) throws(SystemCallError) {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { throw SystemCallError.last("statvfs", path) }
    freeOctets = status.f_blocks == 0 ? nil : UInt64(status.f_bavail) * UInt64(status.f_frsize)
    freeFiles = status.f_files == 0 ? nil : UInt64(status.f_favail)
    isReadOnly = status.f_flag & UInt(ST_RDONLY) != 0
  }
}

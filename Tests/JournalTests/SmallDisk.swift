import EventLoop
import Glibc
import TestSupport

/// A file system of 1 MB in memory, which can fill up and be made read-only.
final class SmallDisk {
  private let folder: TemporaryDirectory
  var path: String { folder.path }

  /// Whether this process may mount.
  static let isPossible: Bool = {
    do {
      _ = try SmallDisk()
      return true
    } catch {
      return false
    }
  }()

  init() throws {
    folder = try TemporaryDirectory()
    try mount("size=1m", flags: 0)
  }

  deinit {
    umount2(path, Int32(MNT_DETACH))
  }

  /// There is room again.
  func grow() throws {
    try mount("size=16m", flags: UInt(MS_REMOUNT))
  }

  func setReadOnly(_ isReadOnly: Bool) throws {
    try mount("size=1m", flags: UInt(MS_REMOUNT) | (isReadOnly ? UInt(MS_RDONLY) : 0))
  }

  private func mount(_ options: String, flags: UInt) throws {
    guard Glibc.mount("none", path, "tmpfs", flags, options) == 0 else { throw SystemCallError.last("mount", path) }
  }
}

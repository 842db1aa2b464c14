import EventLoop
import Glibc

/// A file system of 1 MB in memory, which can fill up and be made read-only.
public final class SmallDisk {
  private let folder: TemporaryDirectory
  public var path: String { folder.path }

  /// Whether this process may mount.
  public static let isPossible: Bool = {
    do {
      _ = try SmallDisk()
      return true
    } catch {
      return false
    }
  }()

  public init() throws {
    folder = try TemporaryDirectory()
    try mount("size=1m", flags: 0)
  }

  deinit {
    umount2(path, Int32(MNT_DETACH))
  }

  /// Makes room again.
  public func grow() throws {
    try mount("size=16m", flags: UInt(MS_REMOUNT))
  }

  public func setReadOnly(_ isReadOnly: Bool) throws {
    try mount("size=1m", flags: UInt(MS_REMOUNT) | (isReadOnly ? UInt(MS_RDONLY) : 0))
  }

  private func mount(_ options: String, flags: UInt) throws {
    guard Glibc.mount("none", path, "tmpfs", flags, options) == 0 else { throw SystemCallError.last("mount", path) }
  }
}

import EventLoop
import Glibc

/// The zones of the package tzdata, for the clocks of cameras.
public enum TimeZoneFile {
  /// Returns whether there is a zone of this name, such as `Europe/Berlin`. The C library takes an unknown zone for UTC.
  ///
  /// - Parameter folder: the folder of the zones; nil for that of the C library.
  public static func exists(_ name: String, in folder: String? = nil) -> Bool {
    let folder = folder ?? ChildCommand.ownEnvironment()["TZDIR"] ?? "/usr/share/zoneinfo"
    guard !name.isEmpty, !name.hasPrefix("/"), !name.split(separator: "/").contains("..") else { return false }
    return isZone("\(folder)/\(name)")
  }

  /// Makes a zone the local one of this process.
  public static func select(_ name: String) {
    setenv("TZ", ":\(name)", 1)
    tzset()
  }

  /// Returns whether a file begins as RFC 9636 says. The folder of the zones also has tables in text.
  private static func isZone(_ path: String) -> Bool {
    let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else { return false }
    let file = FileDescriptor(owning: number)
    var start: [UInt8] = [0, 0, 0, 0]
    return read(file.number, &start, 4) == 4 && start == Array("TZif".utf8)
  }
}

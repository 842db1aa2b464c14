import EventLoop
import Glibc

/// Reads the rfkill state of an adapter (Documentation/ABI/stable/sysfs-class-rfkill of the kernel); needs no privilege.
enum RFKill {
  /// Returns whether a program or a switch blocks the adapter; false also if the state is unknown.
  ///
  /// - Parameter root: the path of /sys/class/rfkill.
  static func isBlocked(_ adapter: String, root: String = "/sys/class/rfkill") -> Bool {
    let names = Folder.names(in: root)
    guard let name = names.first(where: { first(of: "\(root)/\($0)/name") == adapter }) else { return false }
    return ["soft", "hard"].contains { first(of: "\(root)/\(name)/\($0)") == "1" }
  }

  /// Returns the first line of a small file, or an empty string if the file cannot be read.
  private static func first(of path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var octets = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &octets, octets.count)
    return String(decoding: octets.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
}

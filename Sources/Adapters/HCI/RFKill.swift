import Glibc

/// What rfkill says of an adapter. Documentation/ABI/stable/sysfs-class-rfkill of the kernel; needs no privilege.
enum RFKill {
  /// Blocked, by a program or by a switch; false as well where nothing is known.
  ///
  /// - Parameter root: /sys/class/rfkill.
  static func isBlocked(_ adapter: String, root: String = "/sys/class/rfkill") -> Bool {
    guard let folder = opendir(root) else { return false }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard !name.hasPrefix("."), first(of: "\(root)/\(name)/name") == adapter else { continue }
      return ["soft", "hard"].contains { first(of: "\(root)/\(name)/\($0)") == "1" }
    }
    return false
  }

  /// The first line of a small file; empty when it cannot be read.
  private static func first(of path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var octets = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &octets, octets.count)
    return String(decoding: octets.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
}

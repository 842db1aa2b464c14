import EventLoop
import Glibc

/// An attribute of the kernel that stays open, because each read gives the present value.
struct SysfsFile: ~Copyable {
  private let descriptor: FileDescriptor
  private static let longest = 256

  /// Returns nil if the file cannot be opened.
  init?(_ path: String) {
    // A pipe in place of an attribute must not block.
    let raw = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard raw >= 0 else { return nil }
    descriptor = FileDescriptor(owning: raw)
  }

  /// Returns the text without its end of line, or the error of the driver.
  borrowing func text() throws(SystemCallError) -> String {
    try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.longest) { (octets) throws(SystemCallError) in
      let count = pread(descriptor.number, octets.baseAddress, octets.count, 0)
      guard count >= 0 else { throw .last("pread") }
      let end = octets[..<count].lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? 0
      return String(decoding: octets[..<end], as: UTF8.self)
    }
  }

  /// Returns a whole number, as drivers write raw values; nil for any other text.
  ///
  /// It makes no string, because it is called for each axis of each sample.
  borrowing func integer() throws(SystemCallError) -> Int? {
    try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.longest) { (octets) throws(SystemCallError) in
      let count = pread(descriptor.number, octets.baseAddress, octets.count, 0)
      guard count >= 0 else { throw .last("pread") }
      var (value, digits, isNegative) = (0, 0, false)
      for index in 0..<count {
        switch octets[index] {
        case UInt8(ascii: "-") where index == 0: isNegative = true
        case UInt8(ascii: "0")...UInt8(ascii: "9") where digits < 18:
          value = value * 10 + Int(octets[index] - UInt8(ascii: "0"))
          digits += 1
        case UInt8(ascii: "\n") where index == count - 1: break
        default: return nil
        }
      }
      return digits == 0 ? nil : isNegative ? -value : value
    }
  }

  /// Returns the text of a file; nil if it cannot be read.
  static func text(of path: String) -> String? {
    guard let file = SysfsFile(path) else { return nil }
    do throws(SystemCallError) { return try file.text() } catch { return nil }
  }

  /// Returns the number in a file; nil unless it is one that is finite.
  static func number(in path: String) -> Double? { text(of: path).flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil } }

  /// Replaces the value of an attribute.
  static func write(_ text: String, to path: String) throws(SystemCallError) {
    let raw = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
    guard raw >= 0 else { throw .last("open", path) }
    let descriptor = FileDescriptor(owning: raw)
    var octets = Array(text.utf8)
    guard Glibc.write(descriptor.number, &octets, octets.count) == octets.count else { throw .last("write", path) }
  }
}

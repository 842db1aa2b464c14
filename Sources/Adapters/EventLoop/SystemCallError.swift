import CLinux
import Glibc

/// A system call that failed: which one, on what, and the errno it left.
///
/// Printed as one line, `connect /run/dbus/system_bus_socket: No such file or directory (ENOENT)`, in English whatever the locale.
public struct SystemCallError: Error, Hashable, CustomStringConvertible {
  public var call: String
  /// A path, an address or a program, where one helps the reader.
  public var subject: String?
  public var code: Int32

  public init(call: String, subject: String? = nil, code: Int32) {
    self.call = call
    self.subject = subject
    self.code = code
  }

  /// Takes the code from `errno`, so nothing may come between the call and this; the subject is put together afterwards.
  public static func last(_ call: String, _ subject: @autoclosure () -> String? = nil) -> SystemCallError {
    let code = errno
    return SystemCallError(call: call, subject: subject(), code: code)
  }

  public var description: String {
    let place = subject.map { " \($0)" } ?? ""
    return "\(call)\(place): \(Self.text(of: code))"
  }

  /// `No such file or directory (ENOENT)`; `error 4711` for a number that is no errno.
  public static func text(of code: Int32) -> String {
    guard let description = strerrordesc_np(code), let name = strerrorname_np(code) else { return "error \(code)" }
    return "\(String(cString: description)) (\(String(cString: name)))"
  }
}

import CLinux
import Glibc

/// A failed system call: its name, its subject and its errno.
///
/// The description is one line, `connect /run/dbus/system_bus_socket: No such file or directory (ENOENT)`, in English whatever the
/// locale.
public struct SystemCallError: Error, Hashable, CustomStringConvertible {
  public var call: String
  /// A path, an address or a program, if one helps the reader.
  public var subject: String?
  public var code: Int32

  public init(call: String, subject: String? = nil, code: Int32) {
    self.call = call
    self.subject = subject
    self.code = code
  }

  /// Takes the code from `errno`, so it must directly follow the call; the subject is evaluated afterwards.
  public static func last(_ call: String, _ subject: @autoclosure () -> String? = nil) -> SystemCallError {
    let code = errno
    return SystemCallError(call: call, subject: subject(), code: code)
  }

  public var description: String {
    let place = subject.map { " \($0)" } ?? ""
    return "\(call)\(place): \(Self.text(of: code))"
  }

  /// Returns the text of an errno, `No such file or directory (ENOENT)`, or `error 4711` for an unknown number.
  public static func text(of code: Int32) -> String {
    guard let description = strerrordesc_np(code), let name = strerrorname_np(code) else { return "error \(code)" }
    return "\(String(cString: description)) (\(String(cString: name)))"
  }
}

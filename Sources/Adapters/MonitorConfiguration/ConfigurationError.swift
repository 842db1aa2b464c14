import Glibc

/// The reason why a configuration cannot be read or changed.
public enum ConfigurationError: Error, Hashable, Sendable {
  /// A system call failed with this `errno`.
  case unreadable(file: String, code: Int32)
  /// The file is unchanged, because a system call failed with this `errno`.
  case unwritable(file: String, code: Int32)
  /// All problems of the file, by line; at least one.
  case invalid([ConfigurationProblem])
}

extension ConfigurationError: CustomStringConvertible {
  /// The problems, one line each, without a line end after the last.
  public var description: String {
    switch self {
    case .unreadable(let file, let code): "\(file): cannot be read: \(String(cString: strerror(code))); \(Self.advice(code))"
    case .unwritable(let file, let code):
      "\(file): unchanged, because it cannot be written: \(String(cString: strerror(code))); \(Self.writingAdvice(code))"
    case .invalid(let problems): problems.reduce(into: "") { $0 += $0.isEmpty ? $1.description : "\n\($1)" }
    }
  }

  private static func advice(_ code: Int32) -> String {
    switch code {
    case ENOENT, ENOTDIR: "check the path"
    case EACCES, EPERM: "let this user read it"
    case EISDIR: "specify a file in it"
    default: "check the file and its disk"
    }
  }

  private static func writingAdvice(_ code: Int32) -> String {
    switch code {
    case EACCES, EPERM: "run the command as a user with permission, such as root"
    case EROFS: "mount its file system for writing"
    case ENOSPC, EDQUOT: "make room"
    default: advice(code)
    }
  }
}

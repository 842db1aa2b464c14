/// The reason why a program ends: one line for its user, and an exit status for scripts.
public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
  public let status: ExitStatus
  /// The place, the fault and the remedy, without the program's name.
  public let description: String

  public init(_ status: ExitStatus, _ description: String) {
    self.status = status
    self.description = description
  }
}

/// The exit statuses of BSD's sysexits.h that our programs use.
public enum ExitStatus: Int32, Sendable {
  case ok = 0
  /// The command line is wrong.
  case usage = 64
  /// The input's content is wrong.
  case dataError = 65
  /// The input cannot be opened.
  case noInput = 66
  /// A required service is unavailable.
  case unavailable = 69
  /// A system call failed unexpectedly.
  case osError = 71
  /// Output cannot be written.
  case ioError = 74
  /// Another instance is running, or a retry may succeed.
  case temporaryFailure = 75
  /// The user lacks a permission.
  case noPermission = 77
  /// The configuration is wrong.
  case config = 78
}

/// Why a program ends: one line for the person in front of it, and an exit status for the script behind it.
public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
  public let status: ExitStatus
  /// Where, what is wrong, what to do; without the program's name.
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
  /// A service that is needed is not there.
  case unavailable = 69
  /// A system call failed that should not.
  case osError = 71
  /// Output cannot be written.
  case ioError = 74
  /// Another one is running; it may work later.
  case temporaryFailure = 75
  /// Not allowed.
  case noPermission = 77
  /// The configuration is wrong.
  case config = 78
}

import Failures
import Glibc
import MonitorConfiguration

extension Failure {
  /// Maps a file that cannot be read to a missing input, and one with mistakes to a wrong configuration.
  public init(_ error: ConfigurationError) {
    switch error {
    case .unreadable: self.init(.noInput, "\(error)")
    case .unwritable(_, let code): self.init([EACCES, EPERM, EROFS].contains(code) ? .noPermission : .ioError, "\(error)")
    case .invalid: self.init(.config, "\(error)")
    }
  }
}

import DBus
import Failures

extension Failure {
  /// A bus that is not there, or does not answer.
  public init(noBus reason: DBusError) {
    self.init(.unavailable, "\(reason.message); start that bus, or name another with --bus or --session")
  }
}

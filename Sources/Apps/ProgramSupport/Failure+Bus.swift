import DBus
import Failures

extension Failure {
  /// Reports a bus that is unavailable or does not answer.
  public init(noBus reason: DBusError) {
    self.init(.unavailable, "\(reason.message); start that bus, or select another one with --bus or --session")
  }
}

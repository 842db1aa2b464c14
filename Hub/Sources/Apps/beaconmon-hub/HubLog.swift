import Logging
import ServiceLog

extension Logger {
  /// The log of all commands: lines on standard error, or entries of the systemd journal.
  static let hub = Logger(label: "beaconmon-hub") { StandardErrorLog(program: $0) }
}

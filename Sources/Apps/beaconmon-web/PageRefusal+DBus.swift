import DBus
import MonitorClient
import WebPage

extension PageRefusal {
  /// Converts an error of the daemon.
  init(_ error: DBusError) { self.init(daemonError: error.name, error.message, isLackOfConsent: error.isLackOfConsent) }
}

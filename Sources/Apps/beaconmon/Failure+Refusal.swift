import DBus
import Failures
import MonitorClient

extension Failure {
  /// Reports that the daemon, or the bus before it, refuses a request.
  init(refusal error: DBusError) {
    guard error.isStandard("AccessDenied") else {
      self.init(error.isLackOfConsent ? .noPermission : .unavailable, error.message)
      return
    }
    self.init(
      .noPermission,
      "only root and the group beaconmon may use beaconmond; to join the group, run \"sudo usermod -aG beaconmon $USER\" and log in again"
    )
  }
}

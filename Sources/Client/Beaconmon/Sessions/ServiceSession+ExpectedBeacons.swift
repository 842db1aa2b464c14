internal import MonitorClient
import Synchronization

/// The parts of a program that want the events of expected beacons.
struct BeaconEventDemand: Sendable {
  /// True after `startMonitoringExpectedBeacons`.
  var isMonitoring = false
  /// The number of iterated sequences.
  var sequences = 0

  fileprivate var isWanted: Bool { isMonitoring || sequences > 0 }
}

extension ServiceSession {
  /// Changes the demand, and follows or leaves the events of expected beacons if necessary.
  func wantBeaconEvents(_ change: (inout BeaconEventDemand) -> Void) {
    state.withLock { state in
      let before = state.beaconEvents.isWanted
      change(&state.beaconEvents)
      if state.beaconEvents.isWanted {
        // A refused request is repeated.
        perform { $0.startBeaconEvents() }
      } else if before {
        perform { $0.stopBeaconEvents() }
      }
    }
  }
}

import MonitorBus
import Records
import Terminal

extension MonitorClient {
  /// A source that hears nothing sends nothing: tells that, so that nobody looks at an empty screen.
  func noteSilence(_ note: @escaping (String) -> Void) {
    status { answer in
      guard case .success(let status) = answer, status.manager["sourceState"]?.text != "scanning" else { return }
      note("the source of beaconmond: \(StatusText.source(status.manager))")
    }
  }
}

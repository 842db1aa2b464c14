import MonitorBus
import Records

extension MonitorClient {
  /// A source that hears nothing sends nothing: tells that, so that nobody looks at an empty screen.
  func noteSilence(_ note: @escaping (String) -> Void) {
    status { answer in
      guard case .success(let status) = answer, let state = status.manager["sourceState"]?.text, state != "scanning" else { return }
      note("the source of beaconmond is \(state): \(status.manager["source"]?.text ?? "")")
    }
  }
}

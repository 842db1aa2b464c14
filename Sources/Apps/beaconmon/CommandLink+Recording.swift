import Beacons
import Captures
import DBus
import Failures
import MonitorClient

extension CommandLink {
  /// Requests the packets of the daemon, which `reader` then receives.
  ///
  /// - Parameters:
  ///   - onRefusal: takes the reason of a refusal; nil ends the command with it.
  ///   - onStart: runs when the daemon has accepted the request.
  func record(
    into reader: RecordingReader, _ options: RecordingOptions, onRefusal: ((DBusError) -> Void)? = nil, onStart: @escaping () -> Void
  ) {
    guard let socket = reader.farEnd else { return }
    client.record(into: socket, options) { [unowned self] reply in
      switch reply {
      case .success:
        reader.releaseFarEnd()
        settle()
        onStart()
      case .failure(let error): onRefusal.map { $0(error) } ?? end(Failure(refusal: error))
      }
    }
  }
}

import DBus
import EventLoop
import Failures
import Glibc
import Instants
import MonitorBus
import Records

/// Scans through the daemon, over its restarts.
final class DaemonScan {
  private let link: DaemonLink
  private let output: ScanOutput
  private var scan: RemoteStream?
  private var resize: SignalSource?
  private lazy var end = link.loop.timer { [link] in link.end() }

  init(_ link: DaemonLink, _ output: ScanOutput) {
    self.link = link
    self.output = output
  }

  /// - Parameter duration: from when the daemon is there; nil until Ctrl-C.
  func run(for duration: Span?) throws(Failure) {
    do throws(SystemCallError) {
      resize = try link.loop.signal(SIGWINCH) { [output] in output.redraw() }
    } catch {
      throw Failure(.osError, "\(error)")
    }
    link.onPresenceChange = { [output] isThere in
      output.note(isThere ? nil : "beaconmond went away; waiting for it")
    }
    try link.run { [unowned self] client in
      if let duration { end.arm(after: duration) }
      client.noteSilence { [output] in output.note($0) }
      scan = client.scan { [link] error in
        link.end(Failure(refusal: error))
      } handler: { [link, output] snapshot in
        output.show(snapshot)
        if output.isDone { link.end() }
      }
    }
  }
}

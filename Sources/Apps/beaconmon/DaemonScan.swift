import DBus
import EventLoop
import Failures
import Instants
import MonitorClient
import Records

/// Scans through the daemon, across its restarts.
final class DaemonScan {
  private let link: DaemonLink
  private let output: ScanOutput
  private var scan: RemoteStream?
  private var signals: ScreenSignals?
  private lazy var hearing = HearingCheck(link.loop)
  private lazy var end = link.loop.timer { [unowned self] in finish() }

  init(_ link: DaemonLink, _ output: ScanOutput) {
    self.link = link
    self.output = output
  }

  /// - Parameter duration: from when the daemon is available; nil until Ctrl-C.
  func run(for duration: Span?) throws(Failure) {
    signals = try ScreenSignals(link.loop) { [output] in
      output.suspend()
    } onRedraw: { [output] in
      output.redraw()
    }
    link.onPresenceChange = { [output] isAvailable in
      output.note(isAvailable ? nil : "beaconmond has stopped; waiting for it")
    }
    try link.run { [unowned self] client in
      if let duration { end.arm(after: duration) }
      hearing.begin(client) { [link] obstacle in
        if let obstacle { link.end(Failure(.unavailable, obstacle)) }
      }
      scan = client.scan { [link] error in
        link.end(Failure(refusal: error))
      } handler: { [link, output] snapshot in
        if output.isScreen { link.settle() }
        output.show(snapshot)
        if output.isDone { link.end() }
      }
    }
  }

  /// Ends without beacons: either none is near, or the source has gone away.
  private func finish() {
    guard !output.hasHeard else { return link.end() }
    hearing.again { [link] in link.end($0.map { Failure(.unavailable, $0) }) }
  }
}

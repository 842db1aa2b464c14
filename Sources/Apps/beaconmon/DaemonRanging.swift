import Beacons
import DBus
import EventLoop
import Failures
import MonitorClient
import Records
import Terminal

/// Ranges through the daemon, across its restarts.
final class DaemonRanging {
  private let link: DaemonLink
  private let constraint: BeaconConstraint
  private let output: RangeOutput
  private var ranging: RemoteStream?
  private var deadline: Timer?
  private var signals: ScreenSignals?
  private lazy var hearing = HearingCheck(link.loop)

  init(_ link: DaemonLink, _ constraint: BeaconConstraint, _ output: RangeOutput) {
    self.link = link
    self.constraint = constraint
    self.output = output
  }

  /// - Parameter once: give up after `Range.patience`.
  func run(once: Bool) throws(Failure) {
    signals = try ScreenSignals(link.loop) { [output] in
      output.suspend()
    } onRedraw: { [output] in
      output.redraw()
    }
    if once {
      deadline = link.loop.timer { [link] in link.end() }
      deadline?.arm(after: Range.patience)
    }
    link.onPresenceChange = { [output] isAvailable in
      output.note(isAvailable ? nil : "beaconmond has stopped; waiting for it")
    }
    try link.run { [unowned self] client in
      hearing.begin(client) { [output] obstacle in
        if let obstacle { output.note(obstacle) }
      }
      ranging = client.range(constraint) { [link] error in
        link.end(Failure(refusal: error))
      } handler: { [link, output] snapshot in
        link.settle()
        output.show(snapshot)
        if output.isDone { link.end() }
      }
    }
  }
}

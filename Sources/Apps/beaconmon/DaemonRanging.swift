import Beacons
import ClientCommands
import DBus
import EventLoop
import Failures
import Instants
import MonitorClient

/// Ranges through the daemon, across its restarts.
final class DaemonRanging {
  private let link: CommandLink
  /// The wanted beacons; nil for those of the configuration.
  private let constraint: BeaconConstraint?
  private let output: RangeOutput
  private var ranging: RemoteStream?
  private let watch: ListeningWatch
  private let configured: ConfiguredBeaconsWatch
  private var client: MonitorClient?

  init(_ link: CommandLink, _ constraint: BeaconConstraint?, _ output: RangeOutput) {
    self.link = link
    self.constraint = constraint
    self.output = output
    watch = ListeningWatch(link.loop, obstacle: .isNoted)
    configured = ConfiguredBeaconsWatch(link.loop, most: BeaconConstraint.mostPerSession)
    configured.onChange = { [unowned self] in range($0) }
    configured.onNote = { [output] in output.note($0) }
    configured.onEnd = { [link] in link.end($0) }
    watch.onNote = { [output] in output.note($0) }
    watch.onEnd = { [link] in link.end($0) }
  }

  /// - Parameter once: gives up when the daemon has been available for `Range.patience`.
  func run(once: Bool) throws(Failure) {
    try output.attach(link.loop) { [link] in link.end() }
    link.onPresenceChange = { [unowned self] isAvailable in
      output.note(isAvailable ? nil : DaemonWatch.absence)
      if constraint == nil { isAvailable ? followConfigured() : configured.pause() }
    }
    try link.run { [unowned self] client in
      self.client = client
      watch.begin(for: once ? Range.patience : nil, HearingCheck.question(client))
      if let constraint { range([constraint]) } else { followConfigured() }
    }
    ranging = nil
  }

  private func followConfigured() {
    if let client { configured.begin(client.configuredConstraints) }
  }

  private func range(_ constraints: [BeaconConstraint]) {
    ranging = client?.range(constraints, reportsReception: output.isScreen) { [link] error in
      link.end(Failure(refusal: error))
    } handler: { [link, output] snapshot in
      link.settle()
      output.show(snapshot)
      if output.isDone { link.end() }
    }
  }
}

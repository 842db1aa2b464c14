import Beacons
import DBus
import EventLoop
import Failures
import Instants
import MonitorClient

/// Ranges through the daemon, across its restarts.
final class DaemonRanging {
  private let link: DaemonLink
  /// The wanted beacons; nil for those of the configuration.
  private let constraint: BeaconConstraint?
  private let output: RangeOutput
  private var ranging: RemoteStream?
  private var constraints: [BeaconConstraint] = []
  private var deadline: Timer?
  private lazy var hearing = HearingCheck(link.loop)
  /// A reload can change the configured beacons.
  private static let reviewPause = Span.seconds(10)
  private lazy var review = link.loop.timer { [unowned self] in requestConstraints() }
  private var client: MonitorClient?

  init(_ link: DaemonLink, _ constraint: BeaconConstraint?, _ output: RangeOutput) {
    self.link = link
    self.constraint = constraint
    self.output = output
  }

  /// - Parameter once: give up after `Range.patience`.
  func run(once: Bool) throws(Failure) {
    try output.attach(link.loop) { [link] in link.end() }
    if once {
      deadline = link.loop.timer { [link] in link.end() }
      deadline?.arm(after: Range.patience)
    }
    link.onPresenceChange = { [unowned self] isAvailable in
      output.note(isAvailable ? nil : "beaconmond has stopped; waiting for it")
      if constraint == nil { isAvailable ? requestConstraints() : review.disarm() }
    }
    try link.run { [unowned self] client in
      self.client = client
      hearing.begin(client) { [output] obstacle in
        if let obstacle { output.note(obstacle) }
      }
      if let constraint { range([constraint]) } else { requestConstraints() }
    }
    ranging = nil
  }

  private func requestConstraints() {
    client?.configuredConstraints { [weak self] found in
      guard let self else { return }
      review.arm(after: Self.reviewPause)
      guard let found else { return output.note("beaconmond does not answer; asking again in \(Int(Self.reviewPause.seconds)) s") }
      guard !found.isEmpty else { return lackConstraints() }
      guard Set(found) != Set(constraints) else { return }
      guard found.count <= RemoteStream.mostConstraints else {
        return link.end(
          Failure(.usage, "the configuration has \(found.count) UUIDs, more than \(RemoteStream.mostConstraints); name one of them"))
      }
      range(found)
    }
  }

  /// Ends if there never was a configured beacon, and keeps the present ones if a daemon has just started.
  private func lackConstraints() {
    guard constraints.isEmpty else { return }
    link.end(
      Failure(
        .usage,
        "no UUID is given, and beaconmond shows you no region of beacons and no venue; name a UUID, which \"beaconmon scan\" lists"))
  }

  private func range(_ constraints: [BeaconConstraint]) {
    self.constraints = constraints
    ranging = client?.range(constraints, reportsReception: output.isScreen) { [link] error in
      link.end(Failure(refusal: error))
    } handler: { [link, output] snapshot in
      link.settle()
      output.show(snapshot)
      if output.isDone { link.end() }
    }
  }
}

import DBus
import EventLoop
import Failures
import Instants
import MonitorBus
import ProgramSupport

/// A command's way to the daemon: the loop it lives on, and the end it comes to.
final class DaemonLink {
  let client: MonitorClient
  private let program: ProgramLoop
  private let connection: DBusConnection
  private var presence: NameWatch?
  private var hasBeenThere = false
  /// What a session does is for everybody who was allowed to; all else is for root and the group beaconmon.
  private let isForSession: Bool
  /// Told when a daemon that was there goes, and when it is back.
  var onPresenceChange: (Bool) -> Void = { _ in }

  init(_ address: BusAddress, forSession isForSession: Bool = false) throws(Failure) {
    self.isForSession = isForSession
    program = try ProgramLoop()
    connection = try program.connect(to: address)
    client = MonitorClient(connection)
  }

  var loop: Loop { program.loop }

  /// Runs until `end`, Ctrl-C, or the discovery that there is no bus or no daemon. `onReady` is called once, when the daemon is there.
  func run(onReady: @escaping (MonitorClient) -> Void) throws(Failure) {
    connection.onStateChange = { [unowned self] state in
      if case .disconnected(let reason) = state, !hasBeenThere { end(Failure(noBus: reason)) }
    }
    presence = client.watchPresence { [unowned self] in follow(isThere: $0, onReady) }
    try program.run()
  }

  func end(_ failure: Failure? = nil) {
    program.end(failure)
  }

  private func follow(isThere: Bool, _ onReady: @escaping (MonitorClient) -> Void) {
    if hasBeenThere {
      onPresenceChange(isThere)
    } else if isThere {
      hasBeenThere = true
      guard !isForSession else { return onReady(client) }
      client.checkAccess { [weak self] refusal in
        guard let self else { return }
        if let refusal, refusal.isStandard("AccessDenied") { end(Failure(refusal: refusal)) } else { onReady(client) }
      }
    } else if connection.uniqueName != nil {
      end(
        Failure(
          .unavailable,
          "beaconmond is not running on the bus at \(connection.address); start it with \"systemctl start beaconmond\", or name its bus with --bus"
        ))
    }
  }
}

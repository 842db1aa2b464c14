import DBus
import EventLoop
import Failures
import Glibc
import Instants
import MonitorBus
import ProgramSupport

/// A command's way to the daemon: the loop it lives on, and the end it comes to.
final class DaemonLink {
  let loop: Loop
  let client: MonitorClient
  private let connection: DBusConnection
  private var presence: NameWatch?
  private var signals: [SignalSource] = []
  private var failure: Failure?
  private var hasBeenThere = false
  /// Told when a daemon that was there goes, and when it is back.
  var onPresenceChange: (Bool) -> Void = { _ in }

  init(_ address: BusAddress) throws(Failure) {
    do throws(SystemCallError) {
      loop = try Loop()
    } catch {
      throw Failure(.osError, "\(error)")
    }
    do throws(DBusError) {
      connection = try DBusConnection(loop: loop, address: address)
    } catch {
      throw Failure(.unavailable, error.message)
    }
    client = MonitorClient(connection)
  }

  /// Runs until `end`, Ctrl-C, or the discovery that there is no bus or no daemon. `onReady` is called once, when the daemon is there.
  func run(onReady: @escaping (MonitorClient) -> Void) throws(Failure) {
    connection.onStateChange = { [unowned self] state in
      if case .disconnected(let reason) = state, !hasBeenThere { end(Failure(noBus: reason)) }
    }
    presence = client.watchPresence { [unowned self] in follow(isThere: $0, onReady) }
    do throws(SystemCallError) {
      signals = [
        try loop.signal(SIGINT) { [unowned self] in end() },
        try loop.signal(SIGTERM) { [unowned self] in end() },
      ]
      _ = try loop.run()
    } catch {
      throw Failure(.osError, "\(error)")
    }
    if let failure { throw failure }
  }

  func end(_ failure: Failure? = nil) {
    self.failure = failure
    loop.stop()
  }

  private func follow(isThere: Bool, _ onReady: @escaping (MonitorClient) -> Void) {
    if hasBeenThere {
      onPresenceChange(isThere)
    } else if isThere {
      hasBeenThere = true
      onReady(client)
    } else if connection.uniqueName != nil {
      end(
        Failure(
          .unavailable,
          "beaconmond is not running on the bus at \(connection.address); start it with \"systemctl start beaconmond\", or name its bus with --bus"
        ))
    }
  }
}

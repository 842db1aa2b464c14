import DBus
import EventLoop
import Failures
import Instants
import MonitorClient
import ProgramSupport

/// A command's connection to the daemon: the loop that it runs on, and how it ends.
///
/// A daemon that does not run is started by the bus, where the bus can do that. An answer comes within five seconds in any case: the daemon's, or what to do.
/// A daemon that hangs later ends the command within five seconds too, until `settle` is called (Docs/decisions/0032).
final class DaemonLink {
  let client: MonitorClient
  /// For the bus, for the start of the daemon, and for its first answer together; then for the answer to each ping.
  private static let patience = Span.milliseconds(4500)
  /// From the answer to a ping to the next ping.
  private static let pingInterval = Span.milliseconds(400)

  private let program: ProgramLoop
  private let address: BusAddress
  private let connection: DBusConnection
  private var presence: NameWatch?
  private var hasBeenThere = false
  private var hasAskedTheBus = false
  /// When the answer that is awaited is late.
  private var due = Instant.never
  private lazy var deadline = loop.timer { [unowned self] in giveUp() }
  private lazy var nextPing = loop.timer { [unowned self] in ping() }
  /// Whether a daemon that hangs is no reason to end any more.
  private var isSettled = false
  /// What a session does is for everybody who was allowed to; all else is for root and the group beaconmon.
  private let isForSession: Bool
  /// Told when a daemon that was there goes, and when it is back.
  var onPresenceChange: (Bool) -> Void = { _ in }

  init(_ address: BusAddress, forSession isForSession: Bool = false) throws(Failure) {
    self.isForSession = isForSession
    self.address = address
    program = try ProgramLoop()
    connection = try program.connect(to: address)
    client = MonitorClient(connection)
  }

  var loop: Loop { program.loop }

  /// Runs until `end`, Ctrl-C, or the discovery that there is no bus or no daemon. Calls `onReady` once, when the daemon is there.
  func run(onReady: @escaping (MonitorClient) -> Void) throws(Failure) {
    connection.onStateChange = { [unowned self] state in
      if case .disconnected(let reason) = state, !hasBeenThere { end(Failure(noBus: reason)) }
    }
    expectAnswer()
    presence = client.watchPresence { [unowned self] in follow(isThere: $0, onReady) }
    try program.run()
  }

  func end(_ failure: Failure? = nil) {
    program.end(failure)
  }

  /// Ends the watch over the daemon's answers, for a command that has what it asked for and follows what comes.
  func settle() {
    isSettled = true
    deadline.disarm()
    nextPing.disarm()
  }

  private func follow(isThere: Bool, _ onReady: @escaping (MonitorClient) -> Void) {
    if hasBeenThere {
      deadline.disarm()
      nextPing.disarm()
      if isThere { ping() }
      onPresenceChange(isThere)
    } else if isThere {
      hasBeenThere = true
      guard !isForSession else { return client.ping { [weak self] in self?.begin(onReady) } }
      client.checkAccess { [weak self] refusal in
        guard let self else { return }
        if let refusal, refusal.isStandard("AccessDenied") { end(Failure(refusal: refusal)) } else { begin(onReady) }
      }
    } else if connection.uniqueName != nil, !hasAskedTheBus {
      hasAskedTheBus = true
      client.activate { [weak self] error in
        guard let self, let error, !hasBeenThere else { return }
        end(notRunning(error))
      }
    }
  }

  private func begin(_ onReady: (MonitorClient) -> Void) {
    deadline.disarm()
    onReady(client)
    ping()
  }

  // MARK: - A daemon that hangs

  /// An answer to a question may take minutes, because a person is asked for consent or no fix is good enough. The daemon answers a ping meanwhile.
  private func ping() {
    guard !isSettled else { return }
    expectAnswer()
    client.ping { [weak self] in
      guard let self, !isSettled, deadline.due != nil else { return }
      deadline.disarm()
      nextPing.arm(after: Self.pingInterval)
    }
  }

  private func expectAnswer() {
    due = loop.now + Self.patience
    deadline.arm(after: Self.patience)
  }

  private func giveUp() {
    // This process was stopped, as with Ctrl-Z, or the machine slept: the answer may wait to be read.
    guard loop.now - due < .seconds(1) else { return expectAnswer() }
    end(lateness)
  }

  // MARK: - Reasons

  /// - Parameter reason: why the bus did not start the daemon.
  private func notRunning(_ reason: DBusError) -> Failure {
    // The bus has no file that says how, or systemd no unit of that name because it is not enabled.
    if reason.isStandard("ServiceUnknown") || reason.name == "org.freedesktop.systemd1.NoSuchUnit" {
      return Failure(.unavailable, "beaconmond is not running on \(bus); \(advice)")
    }
    return Failure(.unavailable, "beaconmond is not running on \(bus), and the bus could not start it: \(reason.message); \(inquiry)")
  }

  /// Why nothing came in time.
  private var lateness: Failure {
    guard connection.uniqueName != nil else {
      return Failure(.unavailable, "\(bus) does not answer; name another with --system, --session or --bus")
    }
    return Failure(
      .unavailable, hasBeenThere ? "beaconmond does not answer; \(inquiry)" : "\(bus) starts beaconmond, which is not there yet; \(inquiry)"
    )
  }

  private var bus: String {
    switch address {
    case .system: "the system bus"
    case .session: "the session bus"
    case .explicit: "the bus at \(connection.address)"
    }
  }

  private var advice: String {
    switch address {
    case .system: "start it with \"systemctl enable --now beaconmond\", or name another bus with --session or --bus"
    case .session: "start it with \"beaconmond --session\", or name another bus with --system or --bus"
    case .explicit(let address): "start it with \"beaconmond --bus \(address)\", or name another bus with --bus"
    }
  }

  /// How to find out more about a daemon that does not start or hangs.
  private var inquiry: String {
    switch address {
    case .system: "\"systemctl status beaconmond\" says more"
    case .session: "\"beaconmond --session\" in a terminal says more"
    case .explicit: "its log says more"
    }
  }
}

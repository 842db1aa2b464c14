import ClientCommands
import DBus
import EventLoop
import Failures
import MonitorClient
import ProgramSupport
import Records
import Status
import Terminal

/// A command's connection to the daemon: its loop, its time limits and its end.
///
/// The bus starts a daemon that does not run, if the bus is configured to do so. The command gets an answer of the daemon, or an error
/// with a remedy, within five seconds. If the daemon hangs later, the command also ends within five seconds, until `settle` is called
/// (Docs/decisions/0032).
final class CommandLink {
  let client: MonitorClient
  private let program: ProgramLoop
  private let address: BusAddress
  private let connection: DBusConnection
  private var presence: NameWatch?
  /// Whether the command only uses a session, which any permitted user may do.
  /// Other requests are reserved for root and the group beaconmon.
  private let isForSession: Bool
  private lazy var watch = DaemonWatch(program.loop, self, isForSession: isForSession)
  /// Receives whether the daemon is present, when it goes away and when it returns.
  var onPresenceChange: (Bool) -> Void = { _ in }

  init(_ address: BusAddress, forSession isForSession: Bool = false) throws(Failure) {
    self.isForSession = isForSession
    self.address = address
    program = try ProgramLoop()
    connection = try program.connect(to: address)
    client = MonitorClient(connection)
    watch.onLate = { [unowned self] in end(lateness(of: $0)) }
    watch.onRefusal = { [unowned self] in end($0) }
    watch.onPresenceChange = { [unowned self] in onPresenceChange($0) }
  }

  var loop: Loop { program.loop }

  /// Runs until `end`, Ctrl-C, or the failure to reach a bus or a daemon.
  /// It calls `onReady` once, when the daemon is available.
  func run(onReady: @escaping (MonitorClient) -> Void) throws(Failure) {
    connection.onStateChange = { [unowned self] state in
      if case .disconnected(let reason) = state, !watch.hasBeenThere { end(Failure(noBus: reason)) }
    }
    watch.onReady = { [unowned self] in onReady(client) }
    watch.begin()
    presence = client.watchPresence { [unowned self] in watch.note(isAvailable: $0) }
    try program.run()
  }

  /// Asks the daemon once, and returns its answer. Throws if it is an error, or the daemon or the command ends before it.
  ///
  /// - Parameter failure: Converts the error of the answer.
  func ask<Value>(
    failure: (DBusError) -> Failure, _ question: @escaping (MonitorClient, @escaping (Result<Value, DBusError>) -> Void) -> Void
  ) throws(Failure) -> Value {
    onPresenceChange = { [unowned self] in if !$0 { end(Failure(.unavailable, "beaconmond has stopped; start it again")) } }
    return try program.answer(failure: failure) { (completion) throws(Failure) in try run { question($0, completion) } }
  }

  func end(_ failure: Failure? = nil) {
    program.end(failure)
  }

  /// Stops watching the daemon's answers, for a command that has its result and follows updates.
  func settle() { watch.settle() }

  // MARK: - Reasons

  /// - Parameter reason: why the bus did not start the daemon.
  private func notRunning(_ reason: DBusError) -> Failure {
    // The bus has no service file for the daemon, or systemd has no unit of that name because it is not enabled.
    if reason.isStandard("ServiceUnknown") || reason.name == "org.freedesktop.systemd1.NoSuchUnit" {
      return Failure(.unavailable, "beaconmond is not running on \(bus); \(advice)")
    }
    return Failure(.unavailable, "beaconmond is not running on \(bus), and the bus could not start it: \(reason.message); \(inquiry)")
  }

  /// Returns the failure when no answer came in time.
  private func lateness(of obstacle: DaemonWatch.Obstacle) -> Failure {
    switch obstacle {
    case .bus: Failure(.unavailable, "\(bus) does not respond; select another one with --system, --session or --bus")
    case .start: Failure(.unavailable, "\(bus) is starting beaconmond, which is not ready yet; \(inquiry)")
    case .daemon: Failure(.unavailable, "beaconmond does not respond; \(inquiry)")
    }
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
    case .system: "start it with \"systemctl enable --now beaconmond\", or select another bus with --session or --bus"
    case .session: "start it with \"beaconmond --session\", or select another bus with --system or --bus"
    case .explicit(let address): "start it with \"beaconmond --bus \(address)\", or select another bus with --bus"
    }
  }

  /// The commands that show more about a daemon that does not start or hangs.
  private var inquiry: String {
    switch address {
    case .system: "see \"systemctl status beaconmond\""
    case .session: "run \"beaconmond --session\" in a terminal to see why"
    case .explicit: "see its log"
    }
  }
}

extension CommandLink: DaemonAccess {
  var isConnected: Bool { connection.uniqueName != nil }

  func ping(_ completion: @escaping () -> Void) { client.ping(completion) }

  func checkAccess(_ completion: @escaping (Failure?) -> Void) {
    client.checkAccess { refusal in
      // Another error is an answer as well; the request of the command then has one of its own.
      completion(refusal.flatMap { $0.isStandard("AccessDenied") ? Failure(refusal: $0) : nil })
    }
  }

  func activate(_ completion: @escaping (Failure?) -> Void) {
    client.activate { [weak self] error in completion(error.flatMap { self?.notRunning($0) }) }
  }
}

extension HearingCheck {
  /// Returns the question about the obstacle that keeps the daemon from receiving.
  static func question(_ client: MonitorClient) -> Question {
    // A refused status shows no obstacle, and a daemon that does not answer at all ends the command through its pings.
    { answer in client.status { answer((try? $0.get()).flatMap { StatusText.hearingObstacle(MonitorStatus($0)) }) } }
  }

  /// Calls `onAnswer` once, with the obstacle that keeps the daemon from receiving, or with nil if there is none.
  func begin(_ client: MonitorClient, onAnswer: @escaping (String?) -> Void) { begin(Self.question(client), onAnswer: onAnswer) }
}

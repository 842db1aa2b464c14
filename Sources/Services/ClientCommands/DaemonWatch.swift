import Failures
import Scheduling

/// The daemon as the start and the end of a command see it.
///
/// No completion is called inside the call that takes it.
public protocol DaemonAccess: AnyObject {
  /// Whether the bus has accepted the connection.
  var isConnected: Bool { get }
  /// Completes with any answer of the daemon.
  func ping(_ completion: @escaping () -> Void)
  /// Completes with nil for a user who may make requests that are reserved for root and the group beaconmon.
  func checkAccess(_ completion: @escaping (Failure?) -> Void)
  /// Lets the bus start the daemon, and completes with the reason if it cannot.
  func activate(_ completion: @escaping (Failure?) -> Void)
}

/// Follows the presence of the daemon for a command: starts the daemon on demand, and detects late answers.
///
/// Docs/decisions/0032 explains the limits.
public final class DaemonWatch {
  /// The step on the way to the daemon that is late.
  public enum Obstacle: Hashable, Sendable {
    case bus
    /// A daemon that the bus is starting.
    case start
    case daemon
  }

  /// The note of a command that waits for the daemon.
  public static let absence = "beaconmond has stopped; waiting for it"

  /// Returns the note of a command that continues after the daemon has gone or has returned.
  public static func note(isAvailable: Bool) -> String { isAvailable ? "beaconmond is back" : absence }

  /// Starts the command, once, when the daemon is available and the user may use it.
  public var onReady: () -> Void = {}
  /// Receives false when the daemon goes away, and true when it is back.
  public var onPresenceChange: (Bool) -> Void = { _ in }
  /// Receives why the daemon cannot be used.
  public var onRefusal: (Failure) -> Void = { _ in }
  /// Receives the step whose answer is late.
  public var onLate: (Obstacle) -> Void = { _ in }
  /// Whether the daemon was present since the start of the command.
  public private(set) var hasBeenThere = false

  private unowned let daemon: any DaemonAccess
  private let isForSession: Bool
  private let answers: AnswerWatch
  private var hasAskedTheBus = false

  /// - Parameter isForSession: whether any permitted user may make the requests of the command.
  public init(_ scheduler: any Scheduler, _ daemon: any DaemonAccess, isForSession: Bool) {
    (self.daemon, self.isForSession) = (daemon, isForSession)
    answers = AnswerWatch(scheduler)
    answers.onPing = { [unowned self] in self.daemon.ping { [weak self] in self?.answers.noteAnswer() } }
    answers.onLate = { [unowned self] in onLate(!self.daemon.isConnected ? .bus : hasBeenThere ? .daemon : .start) }
  }

  /// Starts the time limit for the bus and the start of the daemon.
  public func begin() { answers.expectAnswer() }

  /// Expects no more answers, for a command that has its result and follows updates.
  public func settle() { answers.settle() }

  /// Call with the presence of the daemon when it is known, and at each change.
  public func note(isAvailable: Bool) {
    if hasBeenThere {
      answers.pause()
      if isAvailable { answers.ping() }
      onPresenceChange(isAvailable)
    } else if isAvailable {
      hasBeenThere = true
      guard !isForSession else { return daemon.ping { [weak self] in self?.start() } }
      daemon.checkAccess { [weak self] refusal in
        if let refusal { self?.onRefusal(refusal) } else { self?.start() }
      }
    } else if daemon.isConnected, !hasAskedTheBus {
      hasAskedTheBus = true
      daemon.activate { [weak self] failure in
        guard let self, let failure, !hasBeenThere else { return }
        onRefusal(failure)
      }
    }
  }

  private func start() {
    answers.pause()
    onReady()
    answers.ping()
  }
}

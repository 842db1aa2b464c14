public import EventActions
public import Failures
public import Instants
public import Scheduling

/// The commands of actions in the configuration, and the connection to the notifier that requests one.
public protocol ActionExecutionPort: AnyObject {
  /// Reads the configuration, and returns the command of an action. Throws if the configuration cannot be used.
  func command(of action: String) throws(Failure) -> ActionLookup
  /// Starts a command. Releasing the result stops it.
  ///
  /// - Parameter completion: called once, never inside this call.
  func start(
    _ command: ActionCommand, for request: CommandRequest, completion: @escaping (CommandReport) -> Void
  ) throws(Failure) -> AnyObject
  /// Sends the answer, which is the last call.
  func answer(_ report: CommandReport)
}

/// The arguments of a command, of which the first one is its file, and its time limit.
public struct ActionCommand: Hashable, Sendable {
  public let arguments: [String]
  public let timeout: Span

  public init(_ arguments: [String], timeout: Span) { (self.arguments, self.timeout) = (arguments, timeout) }
}

/// The result of looking up the command of an action in the configuration.
public enum ActionLookup: Hashable, Sendable {
  case found(ActionCommand)
  /// - Parameter file: the configuration, for its user.
  case missing(file: String)
}

/// Runs the command of one action for one request, and answers it once.
public final class ActionExecution {
  /// The time limit for the arrival of a request.
  static let timeLimit = Span.seconds(10)

  /// Receives the failure if no request arrives in time.
  public var onLate: (Failure) -> Void = { _ in }

  private unowned let port: any ActionExecutionPort
  private var timer: (any SchedulerTimer)?
  private var arrival = CommandRequest.Arrival()
  /// Whether the request has arrived, so that further octets are ignored.
  private var hasArrived = false
  private var command: AnyObject?

  public init(_ scheduler: any Scheduler, _ port: any ActionExecutionPort) {
    self.port = port
    timer = scheduler.timer { [unowned self] in
      hasArrived = true
      onLate(Failure(.dataError, "no request within \(Self.timeLimit.text)"))
    }
    timer?.arm(at: scheduler.now + Self.timeLimit)
  }

  /// Takes octets of the request, which arrives in pieces.
  public func take(_ octets: ArraySlice<UInt8>) {
    guard !hasArrived, let outcome = arrival.take(octets) else { return }
    hasArrived = true
    timer?.arm(at: .never)
    switch outcome {
    case .refused(let reason): port.answer(CommandReport(.refused(reason)))
    case .request(let request): start(request)
    }
  }

  /// Stops the command if it runs.
  public func stop() { command = nil }

  private func start(_ request: CommandRequest) {
    let lookup: ActionLookup
    do throws(Failure) {
      lookup = try port.command(of: request.action)
    } catch {
      // A file that is being edited is complete later.
      return port.answer(CommandReport(.failed(error.description.split(separator: "\n").joined(separator: "; "))))
    }
    switch lookup {
    case .missing(let file):
      port.answer(CommandReport(.refused("\(file) has no command of this name; run systemctl reload beaconmon-notifier")))
    case .found(let found):
      do throws(Failure) {
        command = try port.start(found, for: request) { [unowned port] in port.answer($0) }
      } catch {
        port.answer(CommandReport(.refused("cannot be started: \(error.description)")))
      }
    }
  }
}

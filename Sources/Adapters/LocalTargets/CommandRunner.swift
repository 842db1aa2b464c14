import DeliveryScheduling
import EventActions
import EventLoop
import Events
import Instants

/// A way to run the command of one target.
public protocol CommandRunner {
  /// Starts the command for an event.
  ///
  /// Releasing the result stops the command, and `completion` is not called.
  ///
  /// - Parameter completion: called once from the loop, never inside this call.
  func run(_ delivery: Delivery, completion: @escaping (CommandReport) -> Void) throws(SystemCallError) -> AnyObject

  /// Returns the outcome for an error that `run` throws.
  func outcome(of error: SystemCallError) -> DeliveryOutcome
}

/// Runs the command as a child process, with the user and in the sandbox of this process.
public struct ChildCommandRunner: CommandRunner {
  private let loop: Loop
  private let arguments: [String]
  private let timeout: Span

  public init(_ loop: Loop, _ arguments: [String], timeout: Span) {
    self.loop = loop
    self.arguments = arguments
    self.timeout = timeout
  }

  public func run(_ delivery: Delivery, completion: @escaping (CommandReport) -> Void) throws(SystemCallError) -> AnyObject {
    let command = ChildCommand(
      arguments, environment: CommandEnvironment.variables(for: delivery.event), input: Array((delivery.json + "\n").utf8),
      timeout: timeout)
    return try ChildProcess(loop: loop, command: command) { completion(CommandReport($0)) }
  }

  /// Returns a refusal, because a program that cannot be started is unlikely to appear later.
  public func outcome(of error: SystemCallError) -> DeliveryOutcome { .refused("cannot be started: \(error)") }
}

extension CommandReport {
  fileprivate init(_ result: ChildResult) {
    let outcome: Outcome =
      switch result.outcome {
      case .exited(let code): .exited(code)
      case .signalled(let number): .signalled(number)
      case .timedOut: .timedOut
      }
    self.init(outcome, output: result.output.text)
  }
}

/// Runs the command through the service behind a socket, `beaconmon-action.socket`.
///
/// The service finds the command by the name of the target, and runs it as another user.
public struct ActionSocketRunner: CommandRunner {
  /// The additional time for the start of the service, and for the end of a command that exceeds its timeout.
  private static let allowance = Span.seconds(30)

  private let loop: Loop
  private let path: String
  private let action: String
  private let limit: Span

  /// - Parameters:
  ///   - action: the name of the target.
  ///   - timeout: the timeout of the command.
  public init(_ loop: Loop, path: String, action: String, timeout: Span) {
    self.loop = loop
    self.path = path
    self.action = action
    limit = timeout + Self.allowance
  }

  public func run(_ delivery: Delivery, completion: @escaping (CommandReport) -> Void) throws(SystemCallError) -> AnyObject {
    let request = CommandRequest(action: action, event: delivery.event, json: delivery.json)
    return try ActionConnection(loop, path: path, request, limit: limit, completion: completion)
  }

  /// Returns a failure, because the socket returns with its unit.
  public func outcome(of error: SystemCallError) -> DeliveryOutcome {
    .failed("\(error); commands require beaconmon-action.socket; run systemctl start beaconmon-action.socket")
  }
}

/// A request to the service that runs commands, and its answer. Closing the connection stops the command.
private final class ActionConnection {
  private let completion: (CommandReport) -> Void
  private let stream: OctetStream
  private var timer: Timer?
  private var answer: [UInt8] = []
  private var isOver = false

  init(
    _ loop: Loop, path: String, _ request: CommandRequest, limit: Span, completion: @escaping (CommandReport) -> Void
  ) throws(SystemCallError) {
    self.completion = completion
    stream = try OctetStream(loop, try LocalSocket.connect(to: Array(path.utf8)))
    stream.onOctets = { [unowned self] in accept($0) }
    stream.onEnd = { [unowned self] error in
      finish(
        CommandReport(.failed("\(path) closed without an answer\(error.map { ": \($0)" } ?? ""); see journalctl -u 'beaconmon-action@*'")))
    }
    let timer = loop.timer { [unowned self] in finish(CommandReport(.failed("\(path) did not answer within \(limit.text)"))) }
    timer.arm(after: limit)
    self.timer = timer
    // Sends later, because an error of the stream calls back at once.
    loop.enqueue { [weak self] in self?.stream.send(Array(request.text.utf8)) }
  }

  private func accept(_ octets: ArraySlice<UInt8>) {
    answer += octets
    if let end = answer.firstIndex(of: UInt8(ascii: "\n")) {
      let line = String(decoding: answer[..<end], as: UTF8.self)
      finish(CommandReport(json: line) ?? CommandReport(.failed("beaconmon-action@.service sent an invalid answer")))
    } else if answer.count > CommandReport.largest {
      finish(CommandReport(.failed("beaconmon-action@.service sent an answer that is too long")))
    }
  }

  private func finish(_ report: CommandReport) {
    guard !isOver else { return }
    isOver = true
    timer?.disarm()
    completion(report)
  }
}

/// The environment of a command: some variables of the notifier, and the event.
public enum CommandEnvironment {
  /// The variables that a command inherits if they are set, in addition to `LC_*`.
  ///
  /// All other variables of the notifier, such as the folder of its credentials, are not passed on.
  public static let inherited: Set<String> = [
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY",
    "WAYLAND_DISPLAY", "XAUTHORITY",
  ]

  public static func variables(for event: Event, from own: [String: String] = ChildCommand.ownEnvironment()) -> [String: String] {
    own.filter { inherited.contains($0.key) || $0.key.hasPrefix("LC_") }.merging(event.environment.map { ($0.name, $0.value) }) { $1 }
  }
}

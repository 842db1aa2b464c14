import Deliveries
import EventActions
import EventLoop
import Instants

/// A way to run the command of one target.
public protocol CommandRunner {
  /// Starts the command for an event. `completion` is called once, from the loop and never from inside this call; releasing what is returned ends the
  /// command, and then it is not called.
  func run(_ delivery: Delivery, completion: @escaping (CommandReport) -> Void) throws(SystemCallError) -> AnyObject

  /// What is made of an error that `run` throws.
  func outcome(of error: SystemCallError) -> DeliveryOutcome
}

/// Runs the command as a child of this process, with its user and in its sandbox.
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

  /// A program that cannot be started now is not likely to be there later.
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

/// Has the command run by the service behind a socket, which looks it up by the name of the target and runs it as another user:
/// `beaconmon-action.socket`.
public struct ActionSocketRunner: CommandRunner {
  /// Beyond the command's own timeout: what the service may take to start, and to end a command that does not end itself.
  private static let allowance = Span.seconds(30)

  private let loop: Loop
  private let path: String
  private let action: String
  private let limit: Span

  /// - Parameters:
  ///   - action: the name of the target.
  ///   - timeout: the command's.
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

  /// The socket comes back with its unit.
  public func outcome(of error: SystemCallError) -> DeliveryOutcome {
    .failed("\(error); commands run through beaconmon-action.socket: systemctl start beaconmon-action.socket")
  }
}

/// One request to the service that runs commands, and its answer. Closing the connection ends the command.
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
      finish(CommandReport(.failed("\(path) gave no answer\(error.map { ": \($0)" } ?? ""); see journalctl -u 'beaconmon-action@*'")))
    }
    let timer = loop.timer { [unowned self] in finish(CommandReport(.failed("\(path) gave no answer within \(limit.text)"))) }
    timer.arm(after: limit)
    self.timer = timer
    // Not inside this call: what ends the stream calls back.
    loop.enqueue { [weak self] in self?.stream.send(Array(request.text.utf8)) }
  }

  private func accept(_ octets: ArraySlice<UInt8>) {
    answer += octets
    if let end = answer.firstIndex(of: UInt8(ascii: "\n")) {
      let line = String(decoding: answer[..<end], as: UTF8.self)
      finish(CommandReport(json: line) ?? CommandReport(.failed("the service that runs commands gave an answer that is none")))
    } else if answer.count > CommandReport.largest {
      finish(CommandReport(.failed("the service that runs commands gave an answer that is too long")))
    }
  }

  private func finish(_ report: CommandReport) {
    guard !isOver else { return }
    isOver = true
    timer?.disarm()
    completion(report)
  }
}

import EventActions
import EventLoop
import Instants
import Logging
import Records

/// Does what the configuration asks for at each event: commands, desktop notifications, log lines.
///
/// Commands wait in one queue, oldest first, while as many run as may; a slow one delays others but never the events themselves.
public final class EventRunner {
  /// Events that come faster than commands finish: beyond so many waiting the newest is dropped, and said so.
  private static let longestQueue = 1000

  public var actions: [EventAction]
  /// The most commands that run at once. Lowering it lets those that run finish.
  public var parallelCommands: Int {
    didSet { startCommands() }
  }

  private let loop: Loop
  private let desktop: Desktop
  private let log: Logger
  private let ownEnvironment = ChildCommand.ownEnvironment()
  private var waiting: [PendingCommand] = []
  private var running: [UInt64: ChildProcess] = [:]
  private var lastRun: UInt64 = 0

  public init(_ loop: Loop, actions: [EventAction], parallelCommands: Int, desktop: Desktop, log: Logger) {
    self.loop = loop
    self.actions = actions
    self.parallelCommands = parallelCommands
    self.desktop = desktop
    self.log = log
  }

  public func handle(_ event: Record) {
    for action in actions where action.matches(event) {
      switch action.deed {
      case .command(let arguments, let timeout): enqueue(PendingCommand(arguments: arguments, timeout: timeout, event: event))
      case .notification(let title, let body): desktop.notify(title: title.text(for: event), body: body.text(for: event))
      case .log(let template): log.info("\(template.text(for: event))")
      }
    }
  }

  /// How many commands run or wait.
  public var pendingCount: Int { running.count + waiting.count }
}

private struct PendingCommand {
  let arguments: [String]
  let timeout: Span
  let event: Record

  /// `play for event 12 at entrance`
  var name: String {
    let program = arguments.first ?? ""
    return "\(program) for event \(event["sequence"]?.plainText ?? "?") (\(event["event"]?.text ?? "?") \(event["region"]?.text ?? "?"))"
  }
}

extension EventRunner {
  private func enqueue(_ command: PendingCommand) {
    guard waiting.count < Self.longestQueue else {
      log.error("\(command.name): dropped, \(waiting.count) commands are waiting already; raise parallel-commands or make it quicker")
      return
    }
    waiting.append(command)
    startCommands()
  }

  private func startCommands() {
    while running.count < parallelCommands, !waiting.isEmpty { start(waiting.removeFirst()) }
  }

  private func start(_ pending: PendingCommand) {
    let environment = ownEnvironment.merging(pending.event.environment.map { ($0.name, $0.value) }) { $1 }
    let command = ChildCommand(
      pending.arguments, environment: environment, input: Array((pending.event.json + "\n").utf8), timeout: pending.timeout)
    lastRun += 1
    let run = lastRun
    do {
      running[run] = try ChildProcess(loop: loop, command: command) { [unowned self] in finish(run, pending, $0) }
    } catch {
      log.error("\(pending.name): cannot be started: \(error)")
    }
  }

  private func finish(_ run: UInt64, _ pending: PendingCommand, _ result: ChildResult) {
    let text = result.output.text.trimmingEnd
    let output = text.isEmpty ? "" : ": \(text)"
    switch result.outcome {
    case .exited(0): log.info("\(pending.name): done")
    case .exited(let code): log.warning("\(pending.name): exit code \(code)\(output)")
    case .signalled(let signal): log.warning("\(pending.name): ended by signal \(signal)\(output)")
    case .timedOut: log.warning("\(pending.name): ended after its timeout of \(pending.timeout.text)\(output)")
    }
    // Not inside the child's own callback, which still uses it.
    loop.enqueue { [weak self] in
      self?.running[run] = nil
      self?.startCommands()
    }
  }
}

extension String {
  /// Without the white space and line breaks at its end.
  fileprivate var trimmingEnd: Substring {
    self[..<(lastIndex { !$0.isWhitespace }.map(index(after:)) ?? startIndex)]
  }
}

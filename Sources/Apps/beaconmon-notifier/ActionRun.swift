import DeliveryScheduling
import EventActions
import EventLoop
import Failures
import Glibc
import LocalTargets
import MonitorConfiguration
import Notification
import ProgramSupport

/// Runs the command of one action for the connection on standard input, and answers with its result.
/// `beaconmon-action@.service` runs it.
///
/// The request names an action, whose command is in the configuration. Nothing runs if a user other than root can write its files, so
/// control over the notifier only allows a choice among the configured commands.
final class ActionRun {
  private let program: ProgramLoop
  private let config: String
  private let stream: OctetStream

  static func run(config: String) throws(Failure) -> ExitStatus {
    try ActionRun(config: config).run()
  }

  private init(config: String) throws(Failure) {
    self.config = config
    program = try ProgramLoop()
    guard let connection = Self.connection() else {
      throw Failure(.usage, "--run-action requires a connection on standard input, which beaconmon-action@.service passes")
    }
    do throws(SystemCallError) {
      try connection.setNonBlocking()
      stream = try OctetStream(program.loop, connection)
    } catch {
      throw Failure(.osError, "\(error)")
    }
  }

  /// Returns standard input if it is a connection, or else nil.
  private static func connection() -> FileDescriptor? {
    var kind: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(STDIN_FILENO, SOL_SOCKET, SO_TYPE, &kind, &length) == 0, kind == Int32(SOCK_STREAM.rawValue) else { return nil }
    let copy = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    return copy < 0 ? nil : FileDescriptor(owning: copy)
  }

  private func run() throws(Failure) -> ExitStatus {
    let execution = ActionExecution(program.loop, self)
    execution.onLate = { [program] in program.end($0) }
    stream.onOctets = { execution.take($0) }
    // The notifier has ended or given up, and no longer needs the command's result.
    stream.onEnd = { [program] _ in program.end() }
    try program.run()
    execution.stop()
    return .ok
  }
}

extension ActionRun: ActionExecutionPort {
  func command(of action: String) throws(Failure) -> ActionLookup {
    let document = try ConfigurationFile(flag: config, isSession: false).readTrusted()
    let target = document.configuration.notifier.targets.first { $0.name == action }
    guard case .command(let arguments, let timeout)? = target?.means else { return .missing(file: document.title) }
    return .found(ActionCommand(arguments, timeout: timeout))
  }

  func start(
    _ command: ActionCommand, for request: CommandRequest, completion: @escaping (CommandReport) -> Void
  ) throws(Failure) -> AnyObject {
    let delivery = Delivery(id: 0, message: "", event: request.event, json: request.json)
    let runner = ChildCommandRunner(program.loop, command.arguments, timeout: command.timeout)
    do throws(SystemCallError) {
      return try runner.run(delivery, completion: completion)
    } catch {
      throw Failure(.osError, "\(error)")
    }
  }

  func answer(_ report: CommandReport) {
    stream.send(Array("\(report.json)\n".utf8))
    program.end()
  }
}

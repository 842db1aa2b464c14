import DeliveryScheduling
import EventActions
import EventLoop
import Failures
import Glibc
import Instants
import LocalTargets
import MonitorConfiguration
import ProgramSupport
import Records

/// Runs the command of one action for the connection on standard input, and answers with its result.
/// `beaconmon-action@.service` runs it.
///
/// The request names an action, whose command is in the configuration. Nothing runs if a user other than root can write its files, so
/// control over the notifier only allows a choice among the configured commands.
final class ActionRun {
  /// The time limit for the arrival of a request.
  private static let timeLimit = Span.seconds(10)

  private let program: ProgramLoop
  private let config: String
  private let stream: OctetStream
  private var timer: Timer?
  private var arrival = CommandRequest.Arrival()
  private var command: AnyObject?

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
    stream.onOctets = { [unowned self] in accept($0) }
    // The notifier has ended or given up, and no longer needs the command's result.
    stream.onEnd = { [program] _ in program.end() }
    let timer = program.loop.timer { [program] in program.end(Failure(.dataError, "no request within \(Self.timeLimit.text)")) }
    timer.arm(after: Self.timeLimit)
    self.timer = timer
    try program.run()
    command = nil
    return .ok
  }

  private func accept(_ octets: ArraySlice<UInt8>) {
    guard command == nil, timer?.due != nil, let outcome = arrival.take(octets) else { return }
    timer?.disarm()
    switch outcome {
    case .refused(let reason): answer(.init(.refused(reason)))
    case .request(let request):
      do throws(Failure) {
        try start(request)
      } catch {
        // A file that is being edited is complete later.
        answer(.init(.failed(error.description.split(separator: "\n").joined(separator: "; "))))
      }
    }
  }

  private func start(_ request: CommandRequest) throws(Failure) {
    let document = try ConfigurationFile(flag: config, isSession: false).readTrusted()
    let targets = document.configuration.notifier.targets
    guard let target = targets.first(where: { $0.name == request.action }), case .command(let arguments, let timeout) = target.means else {
      return answer(.init(.refused("\(document.title) has no command of this name; run systemctl reload beaconmon-notifier")))
    }
    let delivery = Delivery(id: 0, message: "", event: request.event, json: request.json)
    let runner = ChildCommandRunner(program.loop, arguments, timeout: timeout)
    do throws(SystemCallError) {
      command = try runner.run(delivery) { [unowned self] in answer($0) }
    } catch {
      answer(.init(.refused("cannot be started: \(error)")))
    }
  }

  private func answer(_ report: CommandReport) {
    timer?.disarm()
    stream.send(Array("\(report.json)\n".utf8))
    program.end()
  }
}

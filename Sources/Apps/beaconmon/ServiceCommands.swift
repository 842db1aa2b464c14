import EventLoop
import Failures
import Glibc
import Instants
import ProgramSupport

/// The commands of systemd that start the services, or apply a new config to those that run.
struct ServiceCommands {
  let commands: [String]
  /// Whether this user can run them on this machine.
  let canRun: Bool

  init(isSession: Bool, hasActions: Bool) {
    let notifier = isSession ? "beaconmon-session-notifier" : "beaconmon-notifier"
    let units = "beaconmond" + (hasActions ? " \(notifier)" : "")
    let manager = isSession ? "systemctl --user" : "systemctl"
    commands = ["\(manager) enable --now \(units)", "\(manager) reload \(units)"]
    canRun = access("/run/systemd/system", F_OK) == 0 && (isSession || geteuid() == 0)
  }

  /// Runs a program, and returns its exit status and output.
  static func run(_ arguments: [String]) throws(Failure) -> (status: Int32, output: String) {
    let program = try ProgramLoop()
    var result: ChildResult?
    let command = ChildCommand(
      arguments, environment: ChildCommand.ownEnvironment(), timeout: .seconds(90), grace: .seconds(1), outputLimit: 1 << 16)
    let child: ChildProcess
    do throws(SystemCallError) {
      child = try ChildProcess(loop: program.loop, command: command) {
        result = $0
        program.end()
      }
    } catch {
      throw Failure(.osError, "\(error)")
    }
    try program.run()
    withExtendedLifetime(child) {}
    guard case .exited(let status)? = result?.outcome else { return (-1, result?.output.text ?? "") }
    return (status, result?.output.text ?? "")
  }
}

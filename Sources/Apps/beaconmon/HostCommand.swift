import EventLoop
import Failures
import Instants
import ProgramSupport

/// A program of this machine that a command runs.
enum HostCommand {
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

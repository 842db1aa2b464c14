import ArgumentParser
import EventLoop
import Failures
import Glibc
import Instants
import MonitorConfiguration
import ProgramSupport
import Setup
import Terminal

struct SetupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "setup",
    abstract: "Create a working config interactively.",
    discussion: """
      Listens for beacons, asks which are yours, how they become regions, their names, the distance that enters, the venue file, and the \
      targets of events. Then it checks the result as "beaconmon config check" does, shows it, writes it after confirmation, and \
      starts the services. Enter takes the answer in brackets, ? explains a question, "back" returns to the one before. The config \
      keeps all its text and comments, and its existing regions.

      Until the last answer the config does not change. If the input ends, or at Ctrl-C, it stays as it was.

      Exit codes: 66 if the input ended before the last answer, 69 if --yes finds no beacon, 77 if the config cannot be written, 78 for \
      an invalid config, 130 after Ctrl-C.

      Examples:
        sudo beaconmon setup
        beaconmon setup --config ./beaconmon.toml --capture walk.btsnoop
        sudo beaconmon setup --yes
        sudo beaconmon setup --yes --from survey.json
      """)

  @Option(help: ArgumentHelp("The config. Defaults to /etc/beaconmon/beaconmon.toml.", valueName: "file"))
  var config: String?

  @Flag(help: "Ask nothing, and take the answer in brackets to each question.")
  var yes = false

  @Option(help: ArgumentHelp("Take the beacons of this btsnoop capture instead of the daemon's.", valueName: "file"))
  var capture: String?

  @Option(
    help: ArgumentHelp("Take the beacons, their names and their offsets from this report of beaconmon survey.", valueName: "survey.json"))
  var from: String?

  @Option(help: ArgumentHelp("Listen for this time. Defaults to 5s.", valueName: "time"), transform: Span.parse)
  var listen = Span.seconds(5)

  @OptionGroup var bus: BusOptions

  func validate() throws {
    if listen <= .zero || listen > .seconds(600) { throw ValidationError("--listen: must be greater than zero and at most 10m") }
    if capture != nil && from != nil { throw ValidationError("--capture cannot be combined with --from; use one of them") }
    for (name, value) in [("--capture", capture), ("--from", from)] where value != nil && bus.bus != nil {
      throw ValidationError("\(name) cannot be combined with --bus, because it uses no daemon")
    }
  }

  func run() throws {
    let file = ConfigurationFile(flag: config, isSession: bus.session, isOptional: true)
    let edit = SetupEdit(file.path, isOptional: true) { document in
      let warnings = document.checkWarnings()
      return warnings.config + warnings.venues
    }
    let origin: SetupBeaconSource.Origin = from.map { .survey($0) } ?? capture.map { .capture($0) } ?? .daemon(bus.address)
    var surroundings = SetupSurroundings(source: from ?? capture ?? "beaconmond hears", canListen: from == nil && capture == nil)
    surroundings.isConfigMissing = access(file.path, F_OK) != 0
    surroundings.present = try failing { () throws(ConfigurationError) in
      try edit.checkWritable()
      return try edit.present()
    }
    let place = SetupRun.Place(
      file.path, isSystemConfig: config == nil && !bus.session, isSession: bus.session, isRoot: geteuid() == 0)
    let run = SetupRun(place, edit, SetupHost(edit, SetupBeaconSource(origin: origin, duration: listen)), SetupTerminal())
    guard try run.run(surroundings, asksNothing: yes) == .interrupted else { return }
    try TerminalOutput.standardOutput.write("\n")
    try TerminalOutput.standardError.write("beaconmon: interrupted; \(file.path) is \(run.hasWritten ? "written" : "unchanged")\n")
    throw ExitCode(130)
  }

  private func failing<Value>(_ body: () throws(ConfigurationError) -> Value) throws(Failure) -> Value {
    do throws(ConfigurationError) { return try body() } catch { throw Failure(error) }
  }
}

/// The machine of the command, with its config and its beacons.
private final class SetupHost: SetupMachine {
  private let edit: SetupEdit
  private let source: SetupBeaconSource

  init(_ edit: SetupEdit, _ source: SetupBeaconSource) { (self.edit, self.source) = (edit, source) }

  func listen(into surroundings: inout SetupSurroundings) throws -> Bool {
    if case .daemon = source.origin { try TerminalOutput.standardOutput.write("listening for beacons for \(source.duration.text) ...\n") }
    return try source.listen(into: &surroundings)
  }

  func write(_ plan: SetupPlan) throws(Failure) -> Bool {
    do throws(ConfigurationError) {
      // If the folder cannot be made, the file cannot be written either, and the failure below names its path.
      try? Folder.make(Folder.parent(of: edit.path))
      return try edit.write(plan)
    } catch {
      throw Failure(error)
    }
  }

  var hasServiceManager: Bool { access("/run/systemd/system", F_OK) == 0 }

  func checkAsService() throws -> CommandResult { try HostCommand.run(["/proc/self/exe", "config", "check", edit.path]) }

  func run(_ arguments: [String]) throws -> CommandResult { try HostCommand.run(arguments) }
}

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

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

  @Option(help: ArgumentHelp("The config. Default: /etc/beaconmon/beaconmon.toml.", valueName: "file"))
  var config: String?

  @Flag(help: "Ask nothing, and take the answer in brackets to each question.")
  var yes = false

  @Option(help: ArgumentHelp("Take the beacons of this btsnoop capture instead of the daemon's.", valueName: "file"))
  var capture: String?

  @Option(
    help: ArgumentHelp("Take the beacons, their names and their offsets from this report of beaconmon survey.", valueName: "survey.json"))
  var from: String?

  @Option(help: ArgumentHelp("Listen for this time. Default: 5s.", valueName: "time"), transform: Span.parse)
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
    let origin: SetupAir.Origin = from.map { .survey($0) } ?? capture.map { .capture($0) } ?? .daemon(bus.address)
    var surroundings = SetupSurroundings(source: from ?? capture ?? "beaconmond hears", canListen: from == nil && capture == nil)
    surroundings.isConfigMissing = access(file.path, F_OK) != 0
    surroundings.present = try failing { () throws(ConfigurationError) in
      try edit.checkWritable()
      return try edit.present()
    }
    try SetupRun(edit, SetupAir(origin: origin, duration: listen), bus, isSystemConfig: config == nil && !bus.session)
      .run(surroundings, asksNothing: yes)
  }

  private func failing<Value>(_ body: () throws(ConfigurationError) -> Value) throws(Failure) -> Value {
    do throws(ConfigurationError) { return try body() } catch { throw Failure(error) }
  }
}

/// A run of setup on a terminal or with a script.
private final class SetupRun {
  private let edit: SetupEdit
  private let air: SetupAir
  private let bus: BusOptions
  private let output = TerminalOutput.standardOutput
  private let text: SetupText
  private let isSystemConfig: Bool
  private var hasWritten = false
  /// The commands that start the services of the written config.
  private var services = ServiceCommands(isSession: false, hasActions: false)

  init(_ edit: SetupEdit, _ air: SetupAir, _ bus: BusOptions, isSystemConfig: Bool) {
    (self.edit, self.air, self.bus, self.isSystemConfig) = (edit, air, bus, isSystemConfig)
    text = SetupText(style: output.style, width: output.width)
  }

  func run(_ surroundings: SetupSurroundings, asksNothing: Bool) throws {
    var surroundings = surroundings
    try listen(into: &surroundings)
    var dialogue = SetupDialogue(surroundings, edit)
    let input = try asksNothing ? nil : answers()
    var isRepeated = false
    while true {
      let question = dialogue.question
      if asksNothing, question.standard == nil {
        guard surroundings.beacons.isEmpty else { throw Failure(.usage, "\(question.text) start without --yes to answer it") }
        let reason = surroundings.obstacle ?? "no beacon is in range"
        throw Failure(.unavailable, "\(reason); or take the beacons of a survey with --from, or those of a capture with --capture")
      }
      if !asksNothing {
        try output.write(isRepeated ? text.prompt(question) : text.text(question))
      } else if dialogue.isAtReview {
        try output.write(text.lines(question.facts))
      }
      isRepeated = true
      switch dialogue.answer(try line(input)) {
      case .next: isRepeated = false
      case .refused(let lines):
        if asksNothing { throw Failure(.config, lines.joined(separator: "\n")) }
        try output.write(text.lines(lines))
      case .explained(let lines): try output.write(text.lines(lines))
      case .listens:
        try listen(into: &surroundings)
        dialogue.hear(surroundings)
        isRepeated = false
      case .writes(let plan):
        guard let commands = try write(plan, asksNothing: asksNothing) else { continue }
        guard dialogue.finishWriting(startingWith: commands) else { return }
        isRepeated = false
      case .starts: return try start()
      case .ends:
        if !hasWritten { try output.write("\(edit.path): unchanged\n") }
        return
      }
    }
  }

  /// Returns the next answer; the standard one without an input.
  private func line(_ input: AnswerInput?) throws -> String {
    guard let input else { return "" }
    switch try input.nextAnswer() {
    case .line(let line):
      // The answers of a script are part of its log, as a terminal shows typed ones.
      if !input.isTerminal { try output.write("\(text.lines([line]))") }
      return line
    case .end:
      throw Failure(.noInput, "the input ended before the last answer; \(edit.path) \(hasWritten ? "is written" : "is unchanged")")
    case .interrupted: throw try interruption()
    }
  }

  private func answers() throws(Failure) -> AnswerInput {
    do throws(SystemCallError) { return try AnswerInput() } catch { throw Failure(.osError, "\(error)") }
  }

  private func listen(into surroundings: inout SetupSurroundings) throws {
    if case .daemon = air.origin { try output.write("listening for beacons for \(air.duration.text) ...\n") }
    guard try air.listen(into: &surroundings) else { throw try interruption() }
  }

  private func interruption() throws(OutputError) -> ExitCode {
    try output.write("\n")
    try TerminalOutput.standardError.write("beaconmon: interrupted; \(edit.path) is \(hasWritten ? "written" : "unchanged")\n")
    return ExitCode(130)
  }

  // MARK: - Writing

  /// Writes the plan, and returns the commands that can start the services.
  ///
  /// Returns nil if it could not be written, so that the question is asked again.
  private func write(_ plan: SetupPlan, asksNothing: Bool) throws -> [String]? {
    let hasActions: Bool
    do throws(ConfigurationError) {
      // If the folder cannot be made, the file cannot be written either, and the failure below names its path.
      try? Folder.make(Folder.parent(of: edit.path))
      hasActions = try edit.write(plan)
    } catch {
      let failure = Failure(error)
      if asksNothing { throw failure }
      try output.write(
        text.lines(failure.description.split(separator: "\n").map(String.init) + ["\"show\" prints the text, and y tries again."]))
      return nil
    }
    hasWritten = true
    try output.write("\(edit.path): written\n")
    // The checks of root are those of the user of the services.
    if geteuid() == 0, isSystemConfig { try output.write(checkAsService()) }
    let services = ServiceCommands(isSession: bus.session, hasActions: hasActions)
    self.services = services
    guard isSystemConfig || bus.session else {
      try output.write(text.lines(["\"beaconmond --config \(edit.path)\" runs the daemon with this config."]))
      return []
    }
    guard services.canRun else {
      try output.write(text.lines(["These commands start the services with it:"] + services.commands.map { "  \($0)" }))
      return []
    }
    return services.commands
  }

  /// Returns the warnings that only the user of the services has.
  private func checkAsService() throws -> String {
    let result = try ServiceCommands.run(["/proc/self/exe", "config", "check", edit.path])
    return text.lines(result.output.split(separator: "\n").filter { $0.contains("warning: ") || result.status != 0 }.map(String.init))
  }

  private func start() throws {
    for command in services.commands {
      let result = try ServiceCommands.run(command.split(separator: " ").map(String.init))
      guard result.status == 0 else {
        throw Failure(.unavailable, "\"\(command)\" failed; the config is written\n\(result.output)")
      }
    }
    try output.write(
      text.lines([
        "The services run. \"beaconmon monitor\(bus.session ? " --session" : "")\" shows the regions, and \"beaconmon doctor\" checks "
          + "the rest."
      ]))
  }
}

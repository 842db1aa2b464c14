import Failures

/// A run of setup: the dialogue with a terminal or a script, the config that it writes, and the start of the services.
public final class SetupRun {
  /// The config, and the user that writes it.
  public struct Place: Hashable, Sendable {
    public let path: String
    /// Whether the config is that of the system's daemon.
    public let isSystemConfig: Bool
    /// Whether the daemon runs on the bus of the session.
    public let isSession: Bool
    public let isRoot: Bool

    public init(_ path: String, isSystemConfig: Bool, isSession: Bool, isRoot: Bool) {
      (self.path, self.isSystemConfig, self.isSession, self.isRoot) = (path, isSystemConfig, isSession, isRoot)
    }
  }

  private struct Interruption: Error {}

  private let place: Place
  private let configuration: any SetupConfiguration
  private let machine: any SetupMachine
  private let console: any SetupConsole
  /// Whether the config is written.
  public private(set) var hasWritten = false
  /// The commands that start the services of the written config, or apply it to those that run.
  private var commands: [String] = []

  public init(_ place: Place, _ configuration: any SetupConfiguration, _ machine: any SetupMachine, _ console: any SetupConsole) {
    (self.place, self.configuration, self.machine, self.console) = (place, configuration, machine, console)
  }

  /// Runs until the last answer.
  ///
  /// - Parameter asksNothing: whether each question takes its standard answer.
  public func run(_ surroundings: SetupSurroundings, asksNothing: Bool) throws -> SetupEnd {
    do {
      try converse(surroundings, asksNothing: asksNothing)
      return .finished
    } catch is Interruption {
      return .interrupted
    }
  }

  private func converse(_ first: SetupSurroundings, asksNothing: Bool) throws {
    var surroundings = first
    try listen(into: &surroundings)
    var dialogue = SetupDialogue(surroundings, configuration)
    var isRepeated = false
    while true {
      let question = dialogue.question
      if asksNothing, question.standard == nil {
        guard surroundings.beacons.isEmpty else { throw Failure(.usage, "\(question.text) start without --yes to answer it") }
        let reason = surroundings.obstacle ?? "no beacon is in range"
        throw Failure(.unavailable, "\(reason); or take the beacons of a survey with --from, or those of a capture with --capture")
      }
      if !asksNothing {
        try console.ask(question, isRepeated: isRepeated)
      } else if dialogue.isAtReview {
        try console.show(question.facts)
      }
      isRepeated = true
      switch dialogue.answer(asksNothing ? "" : try line()) {
      case .next: isRepeated = false
      case .refused(let lines):
        if asksNothing { throw Failure(.config, lines.joined(separator: "\n")) }
        try console.show(lines)
      case .explained(let lines): try console.show(lines)
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
        if !hasWritten { try console.show(line: "\(place.path): unchanged") }
        return
      }
    }
  }

  private func line() throws -> String {
    switch try console.nextAnswer() {
    case .line(let line): return line
    case .end:
      throw Failure(.noInput, "the input ended before the last answer; \(place.path) \(hasWritten ? "is written" : "is unchanged")")
    case .interrupted: throw Interruption()
    }
  }

  private func listen(into surroundings: inout SetupSurroundings) throws {
    guard try machine.listen(into: &surroundings) else { throw Interruption() }
  }

  // MARK: - Writing

  /// Writes the plan, and returns the commands that can start the services.
  ///
  /// Returns nil if it could not be written, so that the question is asked again.
  private func write(_ plan: SetupPlan, asksNothing: Bool) throws -> [String]? {
    let hasActions: Bool
    do throws(Failure) { hasActions = try machine.write(plan) } catch {
      if asksNothing { throw error }
      try console.show(error.paragraphs + ["\"show\" prints the text, and y tries again."])
      return nil
    }
    hasWritten = true
    try console.show(line: "\(place.path): written")
    // The user of the services may not read everything that root reads.
    if place.isRoot, place.isSystemConfig { try console.show(warningsOfService()) }
    commands = commands(hasActions: hasActions)
    guard place.isSystemConfig || place.isSession else {
      try console.show(["\"beaconmond --config \(place.path)\" runs the daemon with this config."])
      return []
    }
    guard machine.hasServiceManager, place.isSession || place.isRoot else {
      try console.show(["These commands start the services with it:"] + commands.map { "  \($0)" })
      return []
    }
    return commands
  }

  private func commands(hasActions: Bool) -> [String] {
    let notifier = place.isSession ? "beaconmon-session-notifier" : "beaconmon-notifier"
    let units = "beaconmond" + (hasActions ? " \(notifier)" : "")
    let manager = place.isSession ? "systemctl --user" : "systemctl"
    return ["\(manager) enable --now \(units)", "\(manager) reload \(units)"]
  }

  /// Returns the warnings that only the user of the services has.
  private func warningsOfService() throws -> [String] {
    let result = try machine.checkAsService()
    return result.output.split(separator: "\n").filter { $0.contains("warning: ") || result.status != 0 }.map(String.init)
  }

  private func start() throws {
    for command in commands {
      let result = try machine.run(command.split(separator: " ").map(String.init))
      guard result.status == 0 else {
        throw Failure(.unavailable, "\"\(command)\" failed; the config is written\n\(result.output)")
      }
    }
    try console.show([
      "The services run. \"beaconmon monitor\(place.isSession ? " --session" : "")\" shows the regions, and \"beaconmon doctor\" checks "
        + "the rest."
    ])
  }
}

import Beacons
import Failures
import Setup
import Testing

@Suite struct SetupRunTests {
  private struct Config: SetupConfiguration {
    let path = "c.toml"
    var refusal: SetupRefusal?

    func venue(at path: String) throws(SetupRefusal) -> SetupVenue { throw SetupRefusal(["\(path): cannot be read"]) }
    func review(_ plan: SetupPlan) throws(SetupRefusal) -> SetupReview {
      if let refusal { throw refusal }
      return SetupReview(text: "", warnings: [])
    }
  }

  private final class FakeMachine: SetupMachine {
    var beacons: [SetupSurroundings.Beacon] = []
    var obstacle: String?
    /// The failures of the next writes.
    var failures: [Failure] = []
    var hasActions = false
    var hasServiceManager = true
    var isInterrupted = false
    var check: CommandResult = (0, "")
    var results: [String: CommandResult] = [:]
    private(set) var plans: [SetupPlan] = []
    private(set) var commands: [String] = []
    private(set) var listened = 0
    private(set) var checks = 0

    func listen(into surroundings: inout SetupSurroundings) -> Bool {
      listened += 1
      surroundings.hear(beacons)
      surroundings.obstacle = obstacle
      return !isInterrupted
    }
    func write(_ plan: SetupPlan) throws(Failure) -> Bool {
      if !failures.isEmpty { throw failures.removeFirst() }
      plans.append(plan)
      return hasActions
    }
    func checkAsService() -> CommandResult {
      checks += 1
      return check
    }
    func run(_ arguments: [String]) -> CommandResult {
      let command = arguments.joined(separator: " ")
      commands.append(command)
      return results[command] ?? (0, "")
    }
  }

  private let console = FakeConsole()
  private let machine = FakeMachine()
  private static let beacon = SetupSurroundings.Beacon(BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 1, minor: 5), rssi: -60)

  init() { machine.beacons = [Self.beacon] }

  private func setup(
    _ config: Config = Config(), isSystemConfig: Bool = true, isSession: Bool = false, isRoot: Bool = true
  ) -> SetupRun {
    let place = SetupRun.Place("c.toml", isSystemConfig: isSystemConfig, isSession: isSession, isRoot: isRoot)
    return SetupRun(place, config, machine, console)
  }

  @discardableResult private func run(_ setup: SetupRun, asksNothing: Bool = true) throws -> SetupEnd {
    try setup.run(SetupSurroundings(source: "beaconmond hears", canListen: true), asksNothing: asksNothing)
  }

  /// Answers every question with Enter, and the review with y.
  private func agree() { console.answers = Array(repeating: .line(""), count: 6) + [.line("y")] }

  // MARK: - Without questions

  @Test func `without questions the standard answers are written, and the services start`() throws {
    machine.hasActions = true
    #expect(try run(setup()) == .finished)
    #expect(machine.plans.count == 1 && machine.plans[0].regions.count == 1 && console.questions.isEmpty)
    #expect(
      machine.commands == ["systemctl enable --now beaconmond beaconmon-notifier", "systemctl reload beaconmond beaconmon-notifier"])
    #expect(console.texts.contains("c.toml: written"))
    #expect(console.texts.last == "The services run. \"beaconmon monitor\" shows the regions, and \"beaconmon doctor\" checks the rest.")
  }

  @Test(arguments: [nil, "beaconmond is not running"])
  func `without questions and beacons the reason is a failure`(obstacle: String?) throws {
    (machine.beacons, machine.obstacle) = ([], obstacle)
    let failure = try #require(throws: Failure.self) { try run(setup()) }
    #expect(failure.status == .unavailable && machine.plans.isEmpty)
    #expect(failure.description.hasPrefix("\(obstacle ?? "no beacon is in range"); or take the beacons of a survey with --from"))
  }

  @Test func `without questions a refused answer and a file that cannot be written are failures`() throws {
    let refused = try #require(throws: Failure.self) { try run(setup(Config(refusal: SetupRefusal(["a", "b"])))) }
    #expect(refused == Failure(.config, "a\nb"))
    machine.failures = [Failure(.noPermission, "c.toml: no")]
    let attempt = setup()
    #expect(throws: Failure(.noPermission, "c.toml: no")) { try run(attempt) }
    #expect(!attempt.hasWritten && machine.commands.isEmpty)
  }

  // MARK: - With questions

  @Test func `a refused or explained question has its prompt again, and a file that cannot be written is tried again`() throws {
    agree()
    console.answers = [.line("?"), .line("back")] + console.answers + [.line("y"), .line("n")]
    machine.failures = [Failure(.noPermission, "c.toml: no")]
    let attempt = setup()
    try run(attempt, asksNothing: false)
    #expect(console.questions.prefix(3).map { $0.hasPrefix("[") } == [false, true, true])
    #expect(console.texts.contains("c.toml: no") && console.texts.contains("\"show\" prints the text, and y tries again."))
    #expect(attempt.hasWritten && machine.plans.count == 1 && machine.commands.isEmpty)
    #expect(!console.texts.contains("c.toml: unchanged"))
  }

  @Test func `an input that ends is a failure that says whether the config is written`() throws {
    let failure = try #require(throws: Failure.self) { try run(setup(), asksNothing: false) }
    #expect(failure == Failure(.noInput, "the input ended before the last answer; c.toml is unchanged"))
    agree()
    let written = try #require(throws: Failure.self) { try run(setup(), asksNothing: false) }
    #expect(written == Failure(.noInput, "the input ended before the last answer; c.toml is written"))
  }

  @Test func `quit leaves the config unchanged, and a signal interrupts an answer and the listening`() throws {
    console.answers = [.line("quit")]
    #expect(try run(setup(), asksNothing: false) == .finished)
    #expect(console.texts == ["c.toml: unchanged"])
    console.answers = [.interrupted]
    #expect(try run(setup(), asksNothing: false) == .interrupted)
    machine.isInterrupted = true
    let attempt = setup()
    #expect(try run(attempt) == .interrupted)
    #expect(!attempt.hasWritten && machine.plans.isEmpty)
  }

  @Test func `again listens again, and shows the same question with the new beacons`() throws {
    machine.beacons = []
    console.answers = [.line("again"), .line("quit")]
    try run(setup(), asksNothing: false)
    #expect(machine.listened == 2 && console.questions.count == 2)
    #expect(console.questions[0] == console.questions[1])
  }

  // MARK: - Services

  @Test func `services are started by root, or for the user of the session`() throws {
    try run(setup(isRoot: false))
    #expect(machine.commands.isEmpty)
    #expect(
      console.texts.suffix(3) == [
        "These commands start the services with it:", "  systemctl enable --now beaconmond", "  systemctl reload beaconmond",
      ])
    machine.hasActions = true
    try run(setup(isSystemConfig: false, isSession: true, isRoot: false))
    #expect(machine.commands.first == "systemctl --user enable --now beaconmond beaconmon-session-notifier")
    #expect(console.texts.last?.contains("\"beaconmon monitor --session\"") == true)
  }

  @Test func `without a service manager, and for a file of its own, the commands are shown`() throws {
    machine.hasServiceManager = false
    try run(setup())
    #expect(console.texts.contains("These commands start the services with it:"))
    machine.hasServiceManager = true
    try run(setup(isSystemConfig: false))
    #expect(console.texts.last == "\"beaconmond --config c.toml\" runs the daemon with this config." && machine.commands.isEmpty)
  }

  @Test func `the warnings of the services' user are shown to root alone`() throws {
    machine.check = (0, "c.toml: valid\nc.toml:3: warning: no\n")
    try run(setup(isSystemConfig: false))
    try run(setup(isRoot: false))
    #expect(machine.checks == 0)
    try run(setup())
    #expect(machine.checks == 1 && console.texts.contains("c.toml:3: warning: no") && !console.texts.contains("c.toml: valid"))
    machine.check = (78, "c.toml: not readable\n")
    try run(setup())
    #expect(console.texts.contains("c.toml: not readable"))
  }

  @Test func `a command that fails ends the start with its output`() throws {
    machine.results = ["systemctl enable --now beaconmond": (1, "no unit\n")]
    let failure = try #require(throws: Failure.self) { try run(setup()) }
    #expect(failure == Failure(.unavailable, "\"systemctl enable --now beaconmond\" failed; the config is written\nno unit\n"))
    #expect(machine.commands.count == 1)
  }
}

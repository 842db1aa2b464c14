import Beacons

/// The questions of `beaconmon setup` and the plan that their answers make.
///
/// The dialogue is a value: lines go in, questions and replies come out. A terminal, a script and a test drive it in the same way.
public struct SetupDialogue {
  enum Step: Hashable {
    case adapters
    case uuids
    case venue
    case grouping
    case names
    /// The name of one region, by its index.
    case name(Int)
    case within
    case targets
    case webhook
    case broker
    case command
    case review
    case start
  }

  /// The answers so far.
  struct Answers {
    var adapters: [BluetoothAddress]?
    var uuids: [BeaconUUID] = []
    var venue: (path: String, content: SetupVenue)?
    var candidates: [RegionCandidate] = []
    var grouping: Grouping?
    var asksEachName = false
    var within: Double?
    var targets: [TargetKind] = []
    var webhook = ""
    var broker: SetupPlan.Target?
    var command: [String] = []
  }

  enum TargetKind: Int, CaseIterable {
    case none = 1
    case log
    case webhook
    case broker
    case command
  }

  let configuration: any SetupConfiguration
  var surroundings: SetupSurroundings
  var answers = Answers()
  private(set) var step: Step
  private var history: [Step] = []
  /// The commands that start the services; empty if the caller cannot start them.
  private var startCommands: [String] = []

  public init(_ surroundings: SetupSurroundings, _ configuration: any SetupConfiguration) {
    (self.surroundings, self.configuration) = (surroundings, configuration)
    step = .uuids
    step = route.first ?? .review
  }

  /// Whether the last question asks whether to write the plan.
  public var isAtReview: Bool { step == .review }

  /// The question that is due.
  public var question: SetupQuestion {
    switch step {
    case .adapters: adapterQuestion
    case .uuids: uuidQuestion
    case .venue: venueQuestion
    case .grouping: groupingQuestion
    case .names: nameQuestion
    case .name(let index): nameQuestion(index)
    case .within: distanceQuestion
    case .targets: targetQuestion
    case .webhook: webhookQuestion
    case .broker: brokerQuestion
    case .command: commandQuestion
    case .review: reviewQuestion
    case .start: startQuestion(startCommands)
    }
  }

  /// Takes the beacons that were heard since the start, without a change of the answers.
  public mutating func hear(_ surroundings: SetupSurroundings) {
    self.surroundings = surroundings
  }

  /// Continues after the plan was written.
  ///
  /// - Parameter commands: the commands that start the services, if the caller can run them.
  /// - Returns: whether another question follows.
  public mutating func finishWriting(startingWith commands: [String]) -> Bool {
    guard !commands.isEmpty else { return false }
    startCommands = commands
    history = []
    step = .start
    return true
  }

  /// Takes the answer to the question that is due; an empty line selects the standard answer.
  public mutating func answer(_ line: String) -> SetupReply {
    let words = line.trimmed
    switch words.lowercased() {
    case "?", "help": return .explained([question.help, Self.commands])
    case "back":
      guard let last = history.popLast() else { return .refused(["this is the first question"]) }
      step = last
      return .next
    case "quit": return .ends
    default: break
    }
    guard let text = words.isEmpty ? question.standard : words else {
      return .refused(["type an answer; ? explains the question"])
    }
    let before = answers
    do throws(SetupRefusal) {
      if let reply = try take(text) { return reply }
      if needsReview { _ = try configuration.review(plan) }
    } catch {
      answers = before
      return .refused(error.lines)
    }
    history.append(step)
    step = following(step)
    return .next
  }

  static let commands = "\"back\" returns to the question before, \"quit\" ends without a change, and Enter takes the answer in brackets."

  /// The answers as a plan.
  public var plan: SetupPlan {
    var plan = SetupPlan()
    if let used = answers.adapters {
      plan.ignoredAdapters = surroundings.adapters.map(\.address).filter { !used.contains($0) }
    }
    plan.venue = answers.venue?.path
    plan.regions = answers.candidates.map { candidate in
      guard case .beacons = candidate.area else { return SetupPlan.Region(name: candidate.name, area: candidate.area) }
      return SetupPlan.Region(name: candidate.name, area: candidate.area, within: answers.within)
    }
    for beacon in surroundings.beacons where answers.uuids.contains(beacon.identity.uuid) {
      plan.offsets[beacon.identity] = beacon.offset
    }
    plan.targets = answers.targets.compactMap { kind in
      switch kind {
      case .none: nil
      case .log: .log
      case .webhook: answers.webhook.isEmpty ? nil : .webhook(url: answers.webhook)
      case .broker: answers.broker
      case .command: answers.command.isEmpty ? nil : .command(answers.command)
      }
    }
    return plan
  }

  // MARK: The order of the questions

  /// The questions that the answers so far require.
  private var route: [Step] {
    var steps: [Step] = surroundings.adapters.count > 1 ? [.adapters, .uuids] : [.uuids]
    if !surroundings.present.hasVenue { steps.append(.venue) }
    if !groupings.isEmpty { steps.append(.grouping) }
    if !groupings.isEmpty, !answers.candidates.isEmpty {
      steps.append(.names)
      if answers.asksEachName { steps += answers.candidates.indices.map { .name($0) } }
      if answers.grouping != .eachPlace { steps.append(.within) }
    }
    steps.append(.targets)
    let details: [(TargetKind, Step)] = [(.webhook, .webhook), (.broker, .broker), (.command, .command)]
    steps += details.filter { answers.targets.contains($0.0) }.map(\.1)
    return steps + [.review]
  }

  private func following(_ step: Step) -> Step {
    let route = route
    return route.firstIndex(of: step).flatMap { $0 + 1 < route.count ? route[$0 + 1] : nil } ?? .review
  }

  /// Whether the answer to the present question may make the config invalid.
  private var needsReview: Bool {
    switch step {
    case .venue, .names, .name, .within, .webhook, .broker, .command: true
    case .adapters, .uuids, .grouping, .targets, .review, .start: false
    }
  }

  /// The groupings that give at least one region.
  var groupings: [Grouping] {
    let all: [Grouping] = [.eachBeacon, .eachMajor, .eachUUID, .eachPlace]
    return all.filter { !surroundings.candidates($0, of: answers.uuids, at: answers.venue?.content).isEmpty }
  }
}

extension StringProtocol {
  /// The text without blanks at its ends.
  public var trimmed: String {
    var text = Substring(self)
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}

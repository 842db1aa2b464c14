/// One question of setup.
public struct SetupQuestion: Hashable, Sendable {
  /// One or two words, such as `Regions`.
  public var title: String
  public var text: String
  /// Lines that help to answer, such as the beacons by their numbers.
  public var facts: [String]
  /// The numbered answers; empty for a free text.
  public var choices: [String]
  /// The answer that an empty line selects; nil if there is none.
  public var standard: String?
  /// The explanation for `?`.
  public var help: String

  init(_ title: String, _ text: String, facts: [String] = [], choices: [String] = [], standard: String?, help: String) {
    (self.title, self.text, self.facts, self.choices, self.standard, self.help) = (title, text, facts, choices, standard, help)
  }
}

/// The effect of an answer.
public enum SetupReply: Hashable, Sendable {
  /// The next question is due.
  case next
  /// The answer is wrong, and the question is asked again.
  case refused([String])
  /// The question was explained, and is asked again.
  case explained([String])
  /// The beacons in range are wanted again, and then the same question.
  case listens
  /// The plan is to be written.
  case writes(SetupPlan)
  /// The services are to be started.
  case starts
  /// The user has ended the dialogue.
  case ends
}

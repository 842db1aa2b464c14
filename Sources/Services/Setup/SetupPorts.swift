import Failures

/// The output of a dialogue.
public protocol SetupScreen: AnyObject {
  /// Shows a line as it is.
  func show(line: String) throws
  /// Shows texts, a paragraph for each.
  func show(_ texts: [String]) throws
}

/// The terminal, or the script, that answers the questions of a dialogue.
public protocol SetupConsole: SetupScreen {
  /// Shows a question with its facts and choices, or only its prompt again.
  func ask(_ question: SetupQuestion, isRepeated: Bool) throws
  /// Returns the next answer, as the log of a script has it.
  func nextAnswer() throws -> SetupAnswer
}

public enum SetupAnswer: Hashable, Sendable {
  case line(String)
  /// The input has ended.
  case end
  /// Ctrl-C, or a signal that ends programs.
  case interrupted
}

/// The end of a dialogue that has not failed.
public enum SetupEnd: Hashable, Sendable {
  case finished
  case interrupted
}

/// The machine on which setup works.
public protocol SetupMachine: AnyObject {
  /// Adds the beacons in range to those of `surroundings`; returns false if a signal interrupted the scan.
  func listen(into surroundings: inout SetupSurroundings) throws -> Bool
  /// Writes the config, and returns whether it has actions, which require the notifier.
  func write(_ plan: SetupPlan) throws(Failure) -> Bool
  /// Whether a service manager runs, which the services need.
  var hasServiceManager: Bool { get }
  /// Checks the config as the user of the services.
  func checkAsService() throws -> CommandResult
  func run(_ arguments: [String]) throws -> CommandResult
}

/// The exit status and the output of a command.
public typealias CommandResult = (status: Int32, output: String)

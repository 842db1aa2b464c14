import ArgumentParser

/// A command whose arguments are unknown to most newcomers.
protocol GuidedCommand: ParsableCommand {
  /// The origin of the missing argument, as a sentence without a full stop.
  static var nextStep: String { get }
}

/// The message for a wrong command line.
/// It describes the error, and for a missing argument also the usage and the next step.
struct UsageText {
  private let message: String
  private let usage: String
  private let command: any ParsableCommand.Type
  private let name: String

  init(for error: any Error, in arguments: some Sequence<String>) {
    message = Self.refusedNumber(in: Array(arguments)) ?? NegativeNumber.restored(Beaconmon.message(for: error).firstLine)
    usage = Self.usage(in: Beaconmon.fullMessage(for: error))
    (command, name) = Self.command(in: arguments)
  }

  /// The message, of one line or three.
  var text: String {
    let prefix = "Missing expected argument"
    guard message.hasPrefix(prefix) else { return "\(message.beginningInLowerCase); see --help" }
    let missing = message.dropFirst(prefix.count).drop { $0 == " " || $0 == "s" }.filter { $0 != "'" }
    let next = (command as? any GuidedCommand.Type)?.nextStep
    return ["missing \(missing)", usage, [next, "see \"\(name) --help\""].compactMap(\.self).joined(separator: "; ")]
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// Returns the error of the first negative number that is refused as a value; nil if there is none.
  /// The parser takes a negative number for an unknown option, and then reports only the missing argument. This function reads such
  /// numbers as values.
  private static func refusedNumber(in arguments: [String]) -> String? {
    guard let first = arguments.firstIndex(where: \.isNegativeNumber) else { return nil }
    var words = arguments
    if first > 0, arguments[first - 1].hasPrefix("--"), arguments[first - 1] != "--" {
      words.replaceSubrange((first - 1)...first, with: ["\(arguments[first - 1])=\(arguments[first])"])
    } else {
      words.insert("--", at: first)
    }
    do {
      _ = try Beaconmon.parseAsRoot(words)
      return nil
    } catch {
      let message = Beaconmon.message(for: error).firstLine
      return message.hasPrefix("The value '-") ? message : nil
    }
  }

  /// Returns `usage: beaconmon range <uuid> …`, on one line.
  private static func usage(in message: String) -> String {
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false).drop { !$0.hasPrefix("Usage:") }
    let usage = lines.prefix { !$0.isEmpty && !$0.contains("See '") }.joined(separator: " ").split(separator: " ").joined(separator: " ")
    return usage.isEmpty ? "" : "usage:\(usage.dropFirst("Usage:".count))"
  }

  /// Returns the innermost subcommand that the arguments name, and its full name.
  private static func command(in arguments: some Sequence<String>) -> (any ParsableCommand.Type, String) {
    var (command, name): (any ParsableCommand.Type, String) = (Beaconmon.self, "beaconmon")
    for argument in arguments {
      guard let inner = command.configuration.subcommands.first(where: { $0._commandName == argument }) else { break }
      (command, name) = (inner, "\(name) \(argument)")
    }
    return (command, name)
  }
}

extension String {
  /// The text as an error: "the value 'x' is invalid" for "The value 'x' is invalid". An acronym keeps its letters.
  fileprivate var beginningInLowerCase: String {
    guard let second = dropFirst().first, second.isLowercase else { return self }
    return prefix(1).lowercased() + dropFirst()
  }

  fileprivate var firstLine: String { String(prefix { !$0.isNewline }) }
}

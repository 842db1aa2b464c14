/// Negative numbers such as `-33.8688` as arguments, which the parser takes for options.
///
/// They are parsed with the minus sign of typography, which people also paste.
enum NegativeNumber {
  private static let minus = "\u{2212}"
  /// The commands whose arguments may be numbers.
  private static let commands: Set = ["guide", "route"]

  /// Returns the arguments of the program without a negative number that looks like an option.
  static func hidden(in arguments: [String]) -> [String] {
    guard let command = arguments.first, commands.contains(command) else { return arguments }
    return arguments.map { $0.isNegativeNumber ? minus + $0.dropFirst() : $0 }
  }

  /// Returns a text with the minus signs of the command line.
  static func restored(_ text: String) -> String { text.replacing(minus, with: "-") }
}

extension String {
  /// Whether the text begins like a negative number.
  var isNegativeNumber: Bool { hasPrefix("-") && dropFirst().drop { $0 == "." }.first?.isWholeNumber == true }
}

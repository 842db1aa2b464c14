/// The notation of numbers and texts in SVG.
enum SVG {
  /// Returns a number with at most three decimals.
  static func number(_ value: Double) -> String {
    let text = "\((value * 1000).rounded() / 1000 + 0)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// Returns the text as content of an element or of an attribute, without control characters.
  static func escaped(_ text: String) -> String {
    text.printable.map { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      default: String(character)
      }
    }.joined()
  }
}

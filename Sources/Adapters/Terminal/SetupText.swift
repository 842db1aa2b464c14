public import Setup

/// The questions of setup for a terminal, or for the log of a script.
public struct SetupText: Sendable {
  private let style: TerminalStyle
  private let width: Int?

  /// - Parameter width: of the window; nil for lines of any length.
  public init(style: TerminalStyle, width: Int?) {
    (self.style, self.width) = (style, width)
  }

  /// Returns a question with its facts and choices, and a prompt without a line end.
  public func text(_ question: SetupQuestion) -> String {
    let head = "\n" + style.emphasise(question.title, .bold) + "\n" + lines([question.text])
    let choices = question.choices.enumerated().map { number, choice in
      let start = "  \(number + 1) "
      return start + choice.printable.wrapped(width, indent: start.count, taken: start.count).joined(separator: "\n") + "\n"
    }
    return head + lines(question.facts, indent: 2) + choices.joined() + prompt(question)
  }

  /// Returns the prompt, which is repeated after a refused answer.
  public func prompt(_ question: SetupQuestion) -> String {
    question.standard.map { "[\($0.printable)] > " } ?? "> "
  }

  /// Returns an explanation or a refusal, a paragraph for each text.
  public func lines(_ texts: [String], indent: Int = 0) -> String {
    let blanks = String(repeating: " ", count: indent)
    return texts.map { text in
      // The lines of a config keep their blanks.
      guard !text.isEmpty else { return "\n" }
      return blanks + text.printable.wrapped(width, indent: indent, taken: indent).joined(separator: "\n") + "\n"
    }.joined()
  }
}

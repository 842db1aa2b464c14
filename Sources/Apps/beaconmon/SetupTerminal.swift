import EventLoop
import Failures
import Setup
import Terminal

/// The questions and answers of a dialogue on standard input and output.
final class SetupTerminal: SetupConsole {
  private let output = TerminalOutput.standardOutput
  private let text: SetupText
  private var input: AnswerInput?

  init() { text = SetupText(style: output.style, width: output.width) }

  func ask(_ question: SetupQuestion, isRepeated: Bool) throws {
    _ = try openInput()
    try output.write(isRepeated ? text.prompt(question) : text.text(question))
  }

  func show(line: String) throws { try output.write("\(line)\n") }

  func show(_ texts: [String]) throws { try output.write(text.lines(texts)) }

  func nextAnswer() throws -> SetupAnswer {
    let input = try openInput()
    let answer: SetupAnswer
    do throws(SystemCallError) { answer = SetupAnswer(try input.next()) } catch { throw Failure(.osError, "standard input: \(error)") }
    // The answers of a script are part of its log, as a terminal shows typed ones.
    if case .line(let line) = answer, !input.isTerminal { try output.write(text.lines([line])) }
    return answer
  }

  private func openInput() throws(Failure) -> AnswerInput {
    if let input { return input }
    do throws(SystemCallError) {
      let input = try AnswerInput()
      self.input = input
      return input
    } catch {
      throw Failure(.osError, "\(error)")
    }
  }
}

extension SetupAnswer {
  init(_ answer: AnswerInput.Answer) {
    switch answer {
    case .line(let line): self = .line(line)
    case .end: self = .end
    case .interrupted: self = .interrupted
    }
  }
}

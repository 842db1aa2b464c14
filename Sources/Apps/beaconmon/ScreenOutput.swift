import Failures
import Terminal

/// Standard output while a command runs: a screen that is painted over, or text that follows text, until nobody reads any more.
final class ScreenOutput {
  private let output = TerminalOutput.standardOutput
  private var painter = ScreenPainter()
  /// Nobody reads any more, or it cannot be written.
  private(set) var isClosed = false
  /// Nil for a reader that just went away.
  private(set) var failure: Failure?

  var style: TerminalStyle { output.style }
  var canRedraw: Bool { output.isTerminal && output.style.canRedraw }

  func paint(_ lines: (TerminalSize) -> [String]) {
    let size = output.size
    write(painter.paint(lines(size), size: size))
  }

  func write(_ text: String) {
    guard !isClosed, !text.isEmpty else { return }
    do throws(OutputError) {
      try output.write(text)
    } catch {
      isClosed = true
      if error != .closed { failure = Failure(.ioError, "\(error)") }
    }
  }

  /// Gives the terminal back.
  func finish() {
    write(painter.finish())
  }

  /// A sentence for the person in front of it, on standard error.
  static func tell(_ text: String) {
    do {
      try TerminalOutput.standardError.write("beaconmon: \(text)\n")
    } catch {
      // Nobody is there to be told.
    }
  }
}

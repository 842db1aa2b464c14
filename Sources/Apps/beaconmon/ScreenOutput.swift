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

  /// Columns that text should fit; nil for what is no terminal.
  var width: Int? { output.width }

  func timeFormat(_ times: TimeOptions) -> TimeFormat { output.timeFormat(isUTC: times.utc) }

  /// Nothing while a shell has this program in the background: it paints again when the shell continues it in the foreground.
  func paint(_ lines: (TerminalSize) -> [String]) {
    guard output.isInForeground else { return }
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

  /// Gives the terminal back and stops, as Ctrl-Z asks; `redraw` is called when the shell lets the program go on.
  func suspend(redraw: () -> Void) {
    finish()
    TerminalOutput.suspend()
    redraw()
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

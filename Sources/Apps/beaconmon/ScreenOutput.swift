import ArgumentParser
import EventLoop
import Failures
import Terminal

/// Standard output while a command runs, until its reader closes it: a screen that is repainted, or consecutive text.
final class ScreenOutput {
  private let output = TerminalOutput.standardOutput
  private var painter = ScreenPainter()
  /// Whether the reader has closed the output, or writing has failed.
  private(set) var isClosed = false
  /// The error of writing; nil if the reader only closed the output.
  private(set) var failure: Failure?

  var style: TerminalStyle { output.style }
  var canRedraw: Bool { output.isTerminal && output.style.canRedraw }

  /// The columns that text should fit; nil for an output that is not a terminal.
  var width: Int? { output.width }

  func timeFormat(_ times: TimeOptions) -> TimeFormat { output.timeFormat(isUTC: times.utc) }

  /// Paints the screen, except while a shell has this program in the background.
  /// It paints again when the shell continues the program in the foreground.
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

  /// Releases the terminal.
  func finish() {
    write(painter.finish())
  }

  /// Releases the terminal and stops after Ctrl-Z; `redraw` is called when the shell continues the program.
  func suspend(redraw: () -> Void) {
    finish()
    TerminalOutput.suspend()
    redraw()
  }

  /// Opens an interactive screen on the terminal.
  ///
  /// - Parameter onQuit: called when its user ends it, or the terminal takes no output any more.
  func live<Content: ListContent>(
    _ loop: Loop, _ content: Content, onQuit: @escaping () -> Void
  ) throws(Failure) -> LiveScreen<Content> {
    do throws(SystemCallError) {
      let screen = try LiveScreen(
        loop, ListScreen(content, style: style), output: output, input: LiveScreen<Content>.standardInput)
      screen.onQuit = onQuit
      screen.onFailure = { [weak self] error in
        self?.isClosed = true
        if error != .closed { self?.failure = Failure(.ioError, "\(error)") }
        onQuit()
      }
      return screen
    } catch {
      throw Failure(.osError, "\(error)")
    }
  }

  /// Shows a sentence to the user on standard error.
  static func note(_ text: String) {
    do {
      try TerminalOutput.standardError.write("beaconmon: \(text)\n")
    } catch {
      // Standard error has no reader.
    }
  }
}

/// The options for the format of times on a terminal.
struct TimeOptions: ParsableArguments {
  @Flag(help: "Show times in UTC. By default, a terminal shows local time.")
  var utc = false
}

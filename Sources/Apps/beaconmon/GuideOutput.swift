import DBus
import Failures
import Records
import RouteReports
import Terminal

/// The output of guidance: a screen on a terminal, or lines of JSON.
final class GuideOutput: RepaintedOutput {
  let output = ScreenOutput()
  private var screen: GuideScreen
  let isScreen: Bool

  init(isJSON: Bool, languages: [String]) {
    isScreen = !isJSON && output.canRedraw
    screen = GuideScreen(style: output.style, units: .ofEnvironment, languages: languages)
  }

  var isClosed: Bool { output.isClosed }
  var failure: Failure? { output.failure }

  func show(_ report: GuidanceReport) {
    if isScreen { screen.take(report) } else { write("guidance", report.record) }
  }

  func show(_ route: RouteReport) {
    if !isScreen { write("route", route.record) }
  }

  func show(_ instruction: InstructionReport) {
    if isScreen { screen.take(instruction) } else { write("instruction", instruction.record) }
  }

  func show(_ error: DBusError) {
    if isScreen {
      screen.note = error.message
    } else {
      let name = error.name.split(separator: ".").last.map(String.init) ?? error.name
      write("failed", Record(["error": .text(name), "message": .text(error.message)]))
    }
  }

  func show(end reason: String, _ message: String) {
    if !isScreen { write("ended", Record(["reason": .text(reason), "message": .text(message)])) }
  }

  private func write(_ event: String, _ record: Record) {
    var line = Record(["event": .text(event)])
    for (key, value) in record.fields { line.append(key, value) }
    output.write(line.json + "\n")
  }

  /// Shows no direction until the next state.
  func forgetDirection() { screen.forgetDirection() }

  /// Shows a sentence to the user: below the picture, or on standard error.
  func note(_ text: String?) {
    screen.note = text
    if !isScreen, let text { ScreenOutput.tell(text) }
  }

  func lines(size: TerminalSize) -> [String] { screen.lines(size: size) }

  /// Shows a warning below each picture, or once on standard error.
  func warn(_ text: String) {
    if isScreen { screen.warning = text } else { ScreenOutput.tell(text) }
  }

  /// Releases the terminal.
  func finish() {
    if isScreen { output.finish() }
  }
}

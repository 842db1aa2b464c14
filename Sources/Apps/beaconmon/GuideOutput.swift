import DBus
import Records
import RouteReports
import Terminal

/// The output of guidance: a screen on a terminal, or lines of JSON.
typealias GuideOutput = FollowedOutput<GuideScreen>

extension GuideOutput {
  func show(_ report: GuidanceReport) {
    if isScreen { picture.take(report) } else { write("guidance", report.record) }
  }

  func show(_ route: RouteReport) {
    if !isScreen { write("route", route.record) }
  }

  func show(_ instruction: InstructionReport) {
    if isScreen { picture.take(instruction) } else { write("instruction", instruction.record) }
  }

  func show(_ error: DBusError) {
    if isScreen {
      picture.note = error.message
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
    line.append(record)
    write(line.json)
  }

  /// Shows a warning below each picture, or once on standard error.
  func warn(_ text: String) {
    if isScreen { picture.warning = text } else { ScreenOutput.note(text) }
  }
}

import Failures
import Ranging
import Records
import Terminal

/// The output of a scan: a screen on a terminal, and elsewhere its result at the end, as text or JSON.
final class ScanOutput: RepaintedOutput {
  let output = ScreenOutput()
  private let json: Bool
  private var screen: ScanScreen
  /// The last scan, which JSON shows with the keys of any version.
  private var last: (report: ScanReport, record: Record)?

  init(source: String, json: Bool, times: TimeOptions) {
    self.json = json
    screen = ScanScreen(source: source, style: output.style, time: output.timeFormat(times))
  }

  var isScreen: Bool { !json && output.canRedraw }
  /// Whether the reader has closed the output.
  var isDone: Bool { output.isClosed }
  var failure: Failure? { output.failure }
  /// Whether any advertisement was received, of a beacon or another device.
  var hasHeard: Bool { last?.report.kinds?.isEmpty == false || last?.report.uuids?.isEmpty == false }

  func show(_ scan: Record) {
    let report = ScanReport(scan)
    last = (report, scan)
    screen.take(report)
    redraw()
  }

  /// Shows a sentence to the user: below the table, or on standard error.
  func note(_ text: String?) {
    screen.note = text
    if isScreen { redraw() } else if let text { ScreenOutput.tell(text) }
  }

  func lines(size: TerminalSize) -> [String] { screen.lines(size: size) }

  /// Releases the terminal, or prints the result; returns false if there was no scan.
  func finish() -> Bool {
    if isScreen {
      output.finish()
    } else if let last {
      output.write(json ? ScanReport.formatted(last.record).json + "\n" : screen.text)
    }
    return last != nil
  }
}

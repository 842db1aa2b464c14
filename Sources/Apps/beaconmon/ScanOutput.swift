import EventLoop
import Failures
import Ranging
import Records
import Terminal

/// The output of a scan: a screen on a terminal, and elsewhere its result at the end, as text or JSON.
final class ScanOutput {
  private let output = ScreenOutput()
  private let json: Bool
  private let content: ScanContent
  private let text: ScanText
  private var screen: LiveScreen<ScanContent>?
  /// The last scan, which JSON shows with the keys of any version.
  private var last: (report: ScanReport, record: Record)?

  init(source: String, json: Bool, times: TimeOptions) {
    self.json = json
    let time = output.timeFormat(times)
    content = ScanContent(source: source, style: output.style, time: time)
    text = ScanText(source: source, style: output.style, time: time)
  }

  /// Opens the screen if there is one; `onQuit` is called when its user ends it.
  func attach(_ loop: Loop, onQuit: @escaping () -> Void) throws(Failure) {
    if isScreen { screen = try output.live(loop, content, onQuit: onQuit) }
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
    screen?.update { $0.take(report) }
  }

  /// Shows a sentence to the user: below the table, or on standard error.
  func note(_ text: String?) {
    if isScreen { screen?.note(text) } else if let text { ScreenOutput.tell(text) }
  }

  /// Releases the terminal, or prints the result; returns false if there was no scan.
  func finish() -> Bool {
    if isScreen {
      screen?.finish()
    } else if let last {
      output.write(json ? ScanReport.formatted(last.record).json + "\n" : text.text(last.report))
    }
    return last != nil
  }
}

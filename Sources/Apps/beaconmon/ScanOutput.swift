import Failures
import Records
import Terminal

/// Where a scan goes: a screen on a terminal, and elsewhere its result, as text or JSON, once it has ended.
final class ScanOutput {
  private let output = ScreenOutput()
  private let json: Bool
  private var screen: ScanScreen
  private var last: Record?

  init(source: String, json: Bool, times: TimeOptions) {
    self.json = json
    screen = ScanScreen(source: source, style: output.style, time: output.timeFormat(times))
  }

  var isLive: Bool { !json && output.canRedraw }
  /// Nobody reads any more.
  var isDone: Bool { output.isClosed }
  var failure: Failure? { output.failure }
  /// Whether any advertisement was heard, of a beacon or not.
  var hasHeard: Bool { last?["kinds"]?.record?.values.isEmpty == false || last?["uuids"]?.list?.isEmpty == false }

  func show(_ scan: Record) {
    last = scan
    screen.take(scan)
    redraw()
  }

  /// A sentence for the person in front of it: below the table, or on standard error.
  func note(_ text: String?) {
    screen.note = text
    if isLive { redraw() } else if let text { ScreenOutput.tell(text) }
  }

  func redraw() {
    if isLive { output.paint { screen.lines(size: $0) } }
  }

  /// Ctrl-Z.
  func suspend() {
    output.suspend { redraw() }
  }

  /// Gives the terminal back, or shows the result. False when nothing was ever told.
  func finish() -> Bool {
    if isLive {
      output.finish()
    } else if let last {
      output.write(json ? last.json + "\n" : screen.text)
    }
    return last != nil
  }
}

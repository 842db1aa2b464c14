import Failures
import Instants
import MonitorBus
import Records
import Regions
import Terminal

/// Where snapshots go: a table on a terminal, lines in a pipe, JSON where asked.
final class RangeOutput {
  private enum Form {
    case table
    case lines
    case json
  }

  private let output = TerminalOutput.standardOutput
  private let form: Form
  private let once: Bool
  private var screen: RangeScreen
  private var painter = ScreenPainter()
  /// Nothing more is to be shown: `--once` has had its snapshot, or nobody reads any more.
  private(set) var isDone = false
  private(set) var failure: Failure?

  init(constraint: BeaconConstraint, source: String, json: Bool, once: Bool) {
    form = json ? .json : output.isTerminal && output.style.canRedraw && !once ? .table : .lines
    self.once = once
    screen = RangeScreen(subject: "\(constraint)", source: source, style: output.style)
  }

  var isTable: Bool { form == .table }

  func show(_ snapshot: RangingSnapshot) {
    guard !isDone, !once || !snapshot.beacons.isEmpty else { return }
    switch form {
    case .table:
      screen.take(snapshot.beacons, at: snapshot.time)
      redraw()
    case .lines:
      write(snapshot.beacons.map { RangeLine.text($0, at: snapshot.time) + "\n" }.joined())
    case .json:
      write(snapshot.record.json + "\n")
    }
    if once { isDone = true }
  }

  /// A sentence for the person in front of it: below the table, or on standard error.
  func note(_ text: String?) {
    screen.note = text
    if form == .table { redraw() } else if let text { tell(text) }
  }

  func redraw() {
    guard form == .table else { return }
    let size = output.size
    write(painter.paint(screen.lines(size: size), size: size))
  }

  /// Gives the terminal back.
  func finish() {
    write(painter.finish())
  }

  private func write(_ text: String) {
    guard failure == nil, !text.isEmpty else { return }
    do throws(OutputError) {
      try output.write(text)
    } catch {
      isDone = true
      if error != .closed { failure = Failure(.ioError, "\(error)") }
    }
  }

  private func tell(_ text: String) {
    do {
      try TerminalOutput.standardError.write("beaconmon: \(text)\n")
    } catch {
      // Nobody is there to be told.
    }
  }
}

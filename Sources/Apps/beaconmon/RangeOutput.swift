import Beacons
import Failures
import MonitorClient
import Ranging
import Records
import Terminal

/// The output of snapshots: a screen on a terminal, lines in a pipe, or JSON or CSV on request.
final class RangeOutput: RepaintedOutput {
  enum Form {
    case screen
    case lines
    case json
    case csv
  }

  let output = ScreenOutput()
  private let form: Form
  private let once: Bool
  private var screen: RangeScreen
  private var hasShownOnce = false
  /// Whether any snapshot had a beacon.
  private(set) var hasShownBeacon = false

  /// - Parameter form: `nil` for a screen on a terminal and lines in a pipe.
  init(constraint: BeaconConstraint, source: String, form: Form?, once: Bool, times: TimeOptions) {
    self.form = form ?? (output.canRedraw && !once ? .screen : .lines)
    self.once = once
    screen = RangeScreen(subject: "\(constraint)", source: source, style: output.style, time: output.timeFormat(times))
    if form == .csv { output.write(RangeCSV.header) }
  }

  var isScreen: Bool { form == .screen }
  /// Whether no more output follows: `--once` has printed its snapshot, or the reader has closed the output.
  var isDone: Bool { hasShownOnce || output.isClosed }
  var failure: Failure? { output.failure }

  func show(_ snapshot: RangingSnapshot) {
    guard !isDone, !once || !snapshot.beacons.isEmpty else { return }
    if !snapshot.beacons.isEmpty { hasShownBeacon = true }
    let beacons = snapshot.beacons.map { BeaconReport($0) }
    switch form {
    case .screen:
      screen.take(beacons, at: snapshot.time)
      redraw()
    case .lines:
      output.write(beacons.map { RangeLine.text($0, at: snapshot.time) + "\n" }.joined())
    case .json:
      output.write(snapshot.record.json + "\n")
    case .csv:
      output.write(RangeCSV.lines(beacons, at: snapshot.time))
    }
    hasShownOnce = once
  }

  /// Shows a sentence to the user: below the screen, or on standard error.
  func note(_ text: String?) {
    screen.note = text
    if form == .screen { redraw() } else if let text { ScreenOutput.tell(text) }
  }

  func lines(size: TerminalSize) -> [String] { screen.lines(size: size) }

  /// Releases the terminal.
  func finish() {
    output.finish()
  }
}

import Beacons
import ClientCommands
import EventLoop
import Failures
import Instants
import MonitorClient
import Ranging
import Records
import Terminal
import Venues

/// The output of snapshots: a screen on a terminal, lines in a pipe, or JSON or CSV on request.
final class RangeOutput: PlayedRangingOutput {
  enum Form {
    case screen
    case lines
    case json
    case csv
  }

  private let output = ScreenOutput()
  private let form: Form
  private let once: Bool
  private let content: RangeContent
  /// The names of beacons at venues, for a person, with the preferred languages.
  var catalogue = Catalogue([])
  var languages: [String] = []
  private var screen: LiveScreen<RangeContent>?
  private var hasShownOnce = false
  /// Whether any snapshot had a beacon.
  private(set) var hasShownBeacon = false

  /// - Parameter form: `nil` for a screen on a terminal and lines in a pipe.
  init(subject: String, source: String, form: Form?, once: Bool, times: TimeOptions) {
    self.form = form ?? (output.canRedraw && !once ? .screen : .lines)
    self.once = once
    content = RangeContent(subject: subject, source: source, style: output.style, time: output.timeFormat(times))
    if form == .csv { output.write(RangeCSV.header) }
  }

  /// Opens the screen if there is one; `onQuit` is called when its user ends it.
  func attach(_ loop: Loop, onQuit: @escaping () -> Void) throws(Failure) {
    if isScreen { screen = try output.live(loop, content, onQuit: onQuit) }
  }

  var isScreen: Bool { form == .screen }
  /// Whether a person can still look at other beacons when no more values come.
  var isInteractive: Bool { screen?.hasKeys ?? false }
  /// Whether no more output follows: `--once` has printed its snapshot, or the reader has closed the output.
  var isDone: Bool { hasShownOnce || output.isClosed }
  var failure: Failure? { output.failure }

  func show(_ snapshot: RangingSnapshot) {
    guard !isDone, !once || !snapshot.beacons.isEmpty else { return }
    if !snapshot.beacons.isEmpty { hasShownBeacon = true }
    switch form {
    case .screen:
      let beacons = snapshot.beacons.map { (report: BeaconReport($0), reception: BeaconReception($0)) }
      screen?.update { $0.take(beacons, at: snapshot.time) }
    case .lines:
      output.write(snapshot.beacons.map { RangeLine.text(BeaconReport($0), at: snapshot.time) + "\n" }.joined())
    case .json:
      output.write(snapshot.record.json + "\n")
    case .csv:
      output.write(RangeCSV.lines(snapshot.beacons.map { BeaconReport($0) }, at: snapshot.time))
    }
    hasShownOnce = once
  }

  func show(_ beacons: [RangedBeacon], at time: Instant) {
    show(RangingSnapshot(time: time, beacons: beacons.map(record)))
  }

  private func record(_ beacon: RangedBeacon) -> Record {
    var report = beacon.report()
    if let place = catalogue.place(of: beacon.beacon) { (report.placeID, report.place) = (place.id, place.name(preferring: languages)) }
    var record = report.record
    if let reception = beacon.reception { record.append(reception.record) }
    return record
  }

  /// Shows a sentence to the user: below the screen, or on standard error.
  func note(_ text: String?) {
    if isScreen { screen?.note(text) } else if let text { ScreenOutput.note(text) }
  }

  /// Releases the terminal.
  func finish() {
    screen?.finish()
  }
}

import ArgumentParser
import ClientCommands
import DBus
import EventLoop
import Failures
import Instants
import MonitorClient
import Ranging
import Records
import Terminal

struct Scan: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show every beacon in range, grouped by UUID, and other advertisements.",
    discussion: """
      For each UUID, shows the number of its beacons, the RSSI and the distance of the strongest, advertisements per second, and seconds \
      since the last one, and the beacons as major/minor, the strongest first. On a terminal this is a screen with keys: arrows select a \
      UUID and Enter lists its beacons, s sorts, / filters, p pauses, ? lists all keys, and q quits. In a pipe, the command prints the \
      result after 10 s. A UUID stays in the list after it falls silent.

      If the daemon cannot receive, the command prints the advice of "beaconmon status" and exits with 69.

      With source = "bluez", only manufacturer data is classified; Eddystone and other formats count as other kinds, because BlueZ reports \
      only their presence.

      Examples:
        beaconmon scan
        beaconmon scan --duration 30s --json | jq -r '.uuids[].uuid'
      """)

  @Option(
    help: ArgumentHelp(
      "Stop after this time. Without it, a terminal scans until q or Ctrl-C, and other output has 10s.", valueName: "time"),
    transform: Span.parse)
  var duration: Span?

  @Flag(help: "Print one JSON object at the end.")
  var json = false

  @OptionGroup var times: TimeOptions
  @OptionGroup var bus: BusOptions

  func validate() throws {
    if let duration, duration <= .zero { throw ValidationError("--duration: must be greater than zero") }
  }

  func run() throws {
    let output = ScanOutput(source: "beaconmond", json: json, times: times)
    let scan = try DaemonScan(CommandLink(bus.address, forSession: true), output)
    do {
      try scan.run(for: duration ?? (output.isScreen ? nil : Self.usualDuration))
    } catch {
      _ = output.finish()
      throw error
    }
    let hasHeard = output.finish()
    if let failure = output.failure { throw failure }
    if !hasHeard, !output.isScreen {
      throw Failure(.unavailable, "beaconmond reported nothing in this time; see `beaconmon status`, or increase --duration")
    }
  }

  private static let usualDuration = Span.seconds(10)
}

/// Scans through the daemon, across its restarts.
final class DaemonScan {
  private let link: CommandLink
  private let output: ScanOutput
  private var scan: RemoteStream?
  private let watch: ListeningWatch

  init(_ link: CommandLink, _ output: ScanOutput) {
    self.link = link
    self.output = output
    watch = ListeningWatch(link.loop, obstacle: .ends)
    watch.onEnd = { [link] in link.end($0) }
  }

  /// - Parameter duration: from when the daemon is available; nil until Ctrl-C.
  func run(for duration: Span?) throws(Failure) {
    try output.attach(link.loop) { [link] in link.end() }
    link.onPresenceChange = { [output] isAvailable in
      output.note(isAvailable ? nil : DaemonWatch.absence)
    }
    try link.run { [unowned self] client in
      // The screen appears before the first result.
      output.note(nil)
      watch.begin(for: duration, HearingCheck.question(client))
      scan = client.scan { [link] error in
        link.end(Failure(refusal: error))
      } handler: { [link, output, watch] snapshot in
        if output.isScreen { link.settle() }
        output.show(snapshot)
        watch.hasHeard = output.hasHeard
        if output.isDone { link.end() }
      }
    }
  }
}

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
  /// Whether the last result has an advertisement, of a beacon or another device.
  var hasHeard: Bool { last?.report.kinds?.isEmpty == false || last?.report.uuids?.isEmpty == false }

  func show(_ scan: Record) {
    let report = ScanReport(scan)
    last = (report, scan)
    screen?.update { $0.take(report) }
  }

  /// Shows a sentence to the user: below the table, or on standard error.
  func note(_ text: String?) {
    if isScreen { screen?.note(text) } else if let text { ScreenOutput.note(text) }
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

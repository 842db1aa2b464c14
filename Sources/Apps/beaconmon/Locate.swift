import ArgumentParser
import DBus
import EventLoop
import Failures
import Instants
import Locating
import MonitorClient
import ProgramSupport
import Records
import Terminal

struct Locate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Say where this device is.",
    discussion: """
      Waits until a source of beaconmond knows it as exactly as wanted, and ends after --timeout with the best so far; the best that is possible may \
      take all of that time. A fix that is not as exact as --accuracy is printed too, and the exit code is 75. On a terminal a line shows how the fix gets better meanwhile. Lengths are shown in the units of the locale; JSON has metres.

      Examples:
        beaconmon locate
        beaconmon locate --accuracy 10m --timeout 1m
        beaconmon locate --geojson > here.geojson
      """)

  @Option(
    help: ArgumentHelp(
      "What is good enough: a length, or best, nearestTenMeters, hundredMeters, kilometer, threeKilometers. Default: best.",
      valueName: "length"),
    transform: DesiredAccuracy.parse)
  var accuracy = DesiredAccuracy.best

  @Option(help: ArgumentHelp("How long to wait for that, up to 10m. Default: 30s.", valueName: "duration"), transform: Span.parse)
  var timeout = Span.seconds(30)

  @OptionGroup var output: LocationOutputOptions
  @OptionGroup var bus: BusOptions

  func validate() throws {
    if !(Span.milliseconds(100)...Span.seconds(600)).contains(timeout) { throw ValidationError("--timeout must be from 100ms to 10m") }
  }

  func run() throws {
    let screen = ScreenOutput()
    let search = LocationSearching(try DaemonLink(bus.address, forSession: true), timeout, showsProgress: output.isForPeople)
    let location = try search.run(accuracy)
    guard let location else { return }
    let text = LocationText(style: screen.style, units: .ofEnvironment)
    screen.write(output.line(location, words: text.text))
    if let failure = screen.failure { throw failure }
    if let shortfall = text.shortfall(location, wanted: accuracy.metres) {
      throw Failure(.temporaryFailure, "\(shortfall); wait longer with --timeout, or ask for less")
    }
  }
}

/// Requests one location, and shows the progress on a terminal.
private final class LocationSearching {
  private let link: DaemonLink
  private let timeout: Span
  private let terminal = TerminalOutput.standardError
  private let showsProgress: Bool
  private let text: LocationText
  private var best: Record?
  private var began = Instant(microseconds: 0)
  private var search: RemoteStream?
  private lazy var tick = link.loop.timer { [unowned self] in show() }

  init(_ link: DaemonLink, _ timeout: Span, showsProgress: Bool) {
    self.link = link
    self.timeout = timeout
    self.showsProgress = showsProgress && terminal.isTerminal && terminal.style.canRedraw
    text = LocationText(style: terminal.style, units: .ofEnvironment)
  }

  /// Returns the location; nil if the search was interrupted.
  func run(_ accuracy: DesiredAccuracy) throws(Failure) -> Record? {
    var found: Record?
    try link.run { [unowned self] client in
      began = link.loop.now
      show()
      search = client.locate(accuracy, timeout: timeout) { [unowned self] error in
        erase()
        link.end(Failure(refusal: error))
      } onProgress: { [unowned self] in
        best = $0
        show()
      } completion: { [unowned self] in
        found = $0
        link.end()
      }
    }
    erase()
    return found
  }

  private func show() {
    guard showsProgress else { return }
    write(text.progress(best, elapsed: link.loop.now - began, timeout: timeout, columns: terminal.size.columns))
    tick.arm(after: .seconds(1))
  }

  private func erase() {
    if showsProgress { write(ProgressBar.erase) }
  }

  private func write(_ text: String) {
    do {
      try terminal.write(text)
    } catch {
      // The progress has no reader any more; the result still goes to standard output.
    }
  }
}

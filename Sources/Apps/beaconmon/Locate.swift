import ArgumentParser
import DBus
import EventLoop
import Failures
import Instants
import LocationArbitration
import Locations
import MonitorClient
import ProgramSupport
import Records
import Terminal

struct Locate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the location of this device.",
    discussion: """
      Waits for a fix that is at least as accurate as --accuracy, and prints it. After --timeout, prints the best fix so far and exits \
      with 75; the default accuracy, best, may take all of that time. On a terminal, a line shows the progress. Lengths are in the units \
      of the locale, and in metres in JSON.

      Examples:
        beaconmon locate
        beaconmon locate --accuracy 10m --timeout 1m
        beaconmon locate --geojson > here.geojson
      """)

  @Option(
    help: ArgumentHelp(
      "The accuracy to wait for: a length, or best, nearestTenMeters, hundredMeters, kilometer, threeKilometers. Defaults to best.",
      valueName: "length"),
    transform: DesiredAccuracy.parse)
  var accuracy = DesiredAccuracy.best

  @Option(help: ArgumentHelp("The longest time to wait, up to 10m. Defaults to 30s.", valueName: "duration"), transform: Span.parse)
  var timeout = Span.seconds(30)

  @OptionGroup var output: LocationOutputOptions
  @OptionGroup var bus: BusOptions

  func validate() throws {
    if !(Span.milliseconds(100)...Span.seconds(600)).contains(timeout) { throw ValidationError("--timeout must be from 100ms to 10m") }
  }

  func run() throws {
    let screen = ScreenOutput()
    let search = LocationSearching(
      try CommandLink(bus.address, forSession: true), timeout, locale: output.names.locale, showsProgress: output.isForPeople)
    let location = try search.run(accuracy)
    guard let location else { return }
    let text = LocationText(style: screen.style, units: .ofEnvironment)
    screen.write(output.line(location, words: text.text))
    if let failure = screen.failure { throw failure }
    if let shortfall = text.shortfall(LocationReport(location), wanted: accuracy.metres) {
      throw Failure(.temporaryFailure, "\(shortfall); increase --timeout, or request a lower --accuracy")
    }
  }
}

/// Requests one location, and shows the progress on a terminal.
private final class LocationSearching {
  private let link: CommandLink
  private let timeout: Span
  private let locale: String?
  private let terminal = TerminalOutput.standardError
  private let showsProgress: Bool
  private let text: LocationText
  private var best: LocationReport?
  private var began = Instant(microseconds: 0)
  private var search: RemoteStream?
  private lazy var tick = link.loop.timer { [unowned self] in show() }

  init(_ link: CommandLink, _ timeout: Span, locale: String?, showsProgress: Bool) {
    self.link = link
    self.timeout = timeout
    self.locale = locale
    self.showsProgress = showsProgress && terminal.isTerminal && terminal.style.canRedraw
    text = LocationText(style: terminal.style, units: .ofEnvironment)
  }

  /// Returns the location; nil if the search was interrupted.
  func run(_ accuracy: DesiredAccuracy) throws(Failure) -> Record? {
    var found: Record?
    try link.run { [unowned self] client in
      began = link.loop.now
      show()
      search = client.locate(desiredAccuracy: accuracy.metres, timeout: timeout, locale: locale) { [unowned self] error in
        erase()
        link.end(Failure(refusal: error))
      } onProgress: { [unowned self] in
        best = LocationReport($0)
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

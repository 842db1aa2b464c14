import ArgumentParser
import DBus
import EventLoop
import Failures
import Instants
import Locations
import MonitorClient
import MonitorProtocol
import ProgramSupport
import Records
import Terminal
import Venues
import ClientCommands

struct Where: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "where",
    abstract: "Show the place, the floor and the nearest places.",
    discussion: """
      Prints the place of this device in a venue, with the accuracy of the position and the three nearest places. Outside of the venues it \
      prints the name of a [[place]] of beaconmon.toml, or the address if its [geocoding] names a server. With --follow, a terminal shows \
      the present place, and other output has a line for each position. The daemon needs venue files: see venues in beaconmon.toml(5).

      Exit codes: 69 if the daemon has no venue, 75 if this device is in no venue or its position is unknown, 77 without permission.

      Examples:
        beaconmon where
        beaconmon where --follow
        beaconmon where --json --language de
      """)

  @Flag(help: "Continue with each new position. Press Ctrl-C to stop.")
  var follow = false

  @Flag(help: "Print each position as one line of JSON.")
  var json = false

  @Option(
    help: ArgumentHelp("The longest time to wait for a position in a venue, up to 10m. Defaults to 10s.", valueName: "duration"),
    transform: Span.parse)
  var timeout = Span.seconds(10)

  @OptionGroup var languages: LanguageOptions
  @OptionGroup var times: TimeOptions
  @OptionGroup var bus: BusOptions

  func validate() throws {
    if !(Span.milliseconds(100)...Span.seconds(600)).contains(timeout) { throw ValidationError("--timeout must be from 100ms to 10m") }
  }

  func run() throws {
    let screen = ScreenOutput()
    let paints = follow && !json && screen.canRedraw
    let text = LocationText(style: screen.style, units: .ofEnvironment, time: screen.timeFormat(times))
    let link = try CommandLink(bus.address, forSession: true)
    let search = PlaceSearch(
      link.loop, DaemonPlaces(link, locale: languages.locale, isEndless: follow), timeout: timeout, isEndless: follow)
    search.onNote = { ScreenOutput.note($0) }
    search.onEnd = { link.end($0) }
    search.onPosition = { position in
      if paints {
        screen.paint { _ in text.lines(position.location, nearest: position.nearest) }
      } else if json {
        screen.write(position.record.json + "\n")
      } else if follow {
        screen.write(text.line(position.timed, nearest: position.nearest) + "\n")
      } else {
        screen.write(text.lines(position.location, nearest: position.nearest).map { $0 + "\n" }.joined())
      }
      if screen.isClosed { link.end() }
    }
    link.onPresenceChange = { ScreenOutput.note(DaemonWatch.note(isAvailable: $0)) }
    defer { if paints { screen.finish() } }
    defer { search.end() }
    try link.run { _ in search.start() }
    if let failure = screen.failure { throw failure }
  }
}

extension PlacedPosition {
  /// The location with a time: that of its measurement on the clock of this machine, if the source reports none.
  fileprivate var timed: LocationReport {
    var location = location
    location.time = location.time ?? WallClock.now - .seconds(location.age ?? 0)
    return location
  }
}

/// The venues and the location of the device in the daemon.
private final class DaemonPlaces: PlaceLink {
  private let link: CommandLink
  private let locale: String?
  private let isEndless: Bool

  init(_ link: CommandLink, locale: String?, isEndless: Bool) {
    (self.link, self.locale, self.isEndless) = (link, locale, isEndless)
  }

  func requestPlans(_ completion: @escaping (Result<[PlanReport], PlaceRefusal>) -> Void) {
    link.client.venues(locale: locale).plans { completion($0.mapError(PlaceRefusal.init)) }
  }

  func follow(_ handler: @escaping (PlaceUpdate) -> Void) -> AnyObject {
    link.client.track(LocationUpdateOptions(.fixes(desiredAccuracy: 0, distanceFilter: nil), locale: locale)) { error in
      handler(.refused(PlaceRefusal(error)))
    } handler: { [link, isEndless] event in
      if isEndless { link.settle() }
      switch event {
      case .located(let record): handler(.located(LocationReport(record)))
      case .unknown(let text): handler(.unknown(text))
      }
    }
  }

  func locate(accuracy: Double, timeout: Span, _ completion: @escaping (LocationReport?) -> Void) -> AnyObject {
    link.client.locate(desiredAccuracy: accuracy, timeout: timeout, locale: locale) { _ in
      completion(nil)
    } onProgress: { _ in
    } completion: {
      completion(LocationReport($0))
    }
  }

  func requestPlaces(near point: PlacePoint, limit: Int, _ completion: @escaping (Result<[PlaceReport], PlaceRefusal>) -> Void) {
    link.client.venues(locale: locale).places(
      near: .earth(latitude: point.latitude, longitude: point.longitude), venue: point.venue, level: point.level, limit: limit
    ) { completion($0.mapError(PlaceRefusal.init)) }
  }
}

extension PlaceRefusal {
  fileprivate init(_ error: DBusError) {
    let cause: Cause =
      if error.isLackOfConsent || error.isStandard("AccessDenied") {
        .noPermission
      } else {
        error.monitorError == .noSuchVenue ? .noSuchVenue : .other
      }
    self.init(cause, error.message, Failure(refusal: error))
  }
}

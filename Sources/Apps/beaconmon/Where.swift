import ArgumentParser
import DBus
import EventLoop
import Failures
import Instants
import Locations
import MonitorClient
import ProgramSupport
import Records
import Terminal
import Venues

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
    help: ArgumentHelp("The longest time to wait for a position in a venue, up to 10m. Default: 10s.", valueName: "duration"),
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
    let text = PlaceText(style: screen.style, units: .ofEnvironment, time: screen.timeFormat(times))
    let link = try DaemonLink(bus.address, forSession: true)
    let watch = PlaceWatch(link, timeout, locale: languages.locale, isEndless: follow) { position in
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
    link.onPresenceChange = { ScreenOutput.tell($0 ? "beaconmond is back" : "beaconmond has stopped; waiting for it") }
    defer { if paints { screen.finish() } }
    try watch.run()
    if let failure = screen.failure { throw failure }
  }
}

/// A position with the places next to it.
private struct PlacedPosition {
  let location: LocationReport
  let nearest: [PlaceReport]

  /// The location with a time: that of its measurement on the clock of this machine, if the source reports none.
  var timed: LocationReport {
    var location = location
    location.time = location.time ?? WallClock.now - .seconds(location.age ?? 0)
    return location
  }

  /// The location with the places under the key `nearest`.
  var record: Record {
    var record = location.record
    record.append("nearest", .list(nearest.map(\.record)))
    return record
  }
}

/// Follows the location of the device, and finds the places next to it.
private final class PlaceWatch {
  /// The number of places next to a position.
  private static let neighbours = 3

  private let link: DaemonLink
  private let timeout: Span
  private let locale: String?
  private let isEndless: Bool
  private let show: (PlacedPosition) -> Void
  private var stream: RemoteStream?
  /// The request for a location whose answer waits for the address, as updates do not.
  private var search: RemoteStream?
  /// The names of the venues; nil until the daemon has answered.
  private var venues: [String]?
  /// The last position, which may be in no venue.
  private var last: LocationReport?
  private var reason: String?
  private var hasShown = false
  private lazy var deadline = link.loop.timer { [unowned self] in giveUp() }

  init(_ link: DaemonLink, _ timeout: Span, locale: String?, isEndless: Bool, show: @escaping (PlacedPosition) -> Void) {
    self.link = link
    self.timeout = timeout
    self.locale = locale
    self.isEndless = isEndless
    self.show = show
  }

  func run() throws(Failure) {
    defer { (stream, search) = (nil, nil) }
    try link.run { [unowned self] client in
      client.venues(locale: locale).plans { [unowned self] in
        switch $0 {
        case .success(let plans): begin(client, plans.map(PlanReport.init))
        case .failure(let error): link.end(Failure(refusal: error))
        }
      }
    }
  }

  private func begin(_ client: MonitorClient, _ plans: [PlanReport]) {
    var names: [String] = []
    for name in plans.compactMap({ $0.venueName ?? $0.venue }) where !names.contains(name) { names.append(name) }
    venues = names
    stream = client.track(desiredAccuracy: 0, distanceFilter: nil, locale: locale) { [unowned self] error in
      // Venues are a source of locations, so that their lack is the reason.
      link.end(names.isEmpty && !error.isLackOfConsent && !error.isStandard("AccessDenied") ? Self.noVenue : Failure(refusal: error))
    } handler: { [unowned self] event in
      if isEndless { link.settle() }
      switch event {
      case .located(let record): take(LocationReport(record), client)
      case .unknown(let text): note(text)
      }
    }
    if !isEndless { deadline.arm(after: timeout) }
  }

  private func take(_ location: LocationReport, _ client: MonitorClient) {
    last = location
    if venues?.isEmpty == true, location.description == nil, !hasShown { return findAddress(of: location, client, or: Self.noVenue) }
    // The first position in a venue takes some seconds. Until then another source may report one without a floor.
    guard isEndless || location.level != nil || venues?.isEmpty == true else { return }
    finish(location, client)
  }

  /// Requests the address of a location, once.
  ///
  /// - Parameter failure: the end of the program if there is none.
  private func findAddress(of location: LocationReport, _ client: MonitorClient, or failure: Failure) {
    guard search == nil else { return }
    // As accurate as the known location, so that the search ends at once.
    let accuracy = (location.horizontalAccuracy ?? Self.coarse) * 1.001
    search = client.locate(desiredAccuracy: accuracy, timeout: Self.patience, locale: locale) { [weak self] _ in
      self?.link.end(failure)
    } onProgress: { _ in
    } completion: { [weak self] record in
      guard let self else { return }
      let location = LocationReport(record)
      if location.description == nil { link.end(failure) } else { finish(location, client) }
    }
  }

  private static let patience = Span.seconds(5)
  private static let coarse = 10_000.0

  private func finish(_ location: LocationReport, _ client: MonitorClient) {
    guard let venue = location.venue, let latitude = location.latitude, let longitude = location.longitude else {
      return present(PlacedPosition(location: location, nearest: []))
    }
    client.venues(locale: locale).places(
      near: .earth(latitude: latitude, longitude: longitude), venue: venue, level: location.level, limit: Self.neighbours
    ) { [weak self] in
      switch $0 {
      case .success(let places): self?.present(PlacedPosition(location: location, nearest: places.map(PlaceReport.init)))
      // A reload has removed the venue meanwhile.
      case .failure(let error) where error.name.hasSuffix(".NoSuchVenue"): self?.present(PlacedPosition(location: location, nearest: []))
      case .failure(let error): self?.fail(error)
      }
    }
  }

  private func present(_ position: PlacedPosition) {
    guard isEndless || !hasShown else { return }
    hasShown = true
    show(position)
    if !isEndless { link.end() }
  }

  /// Reports that the daemon has not said which places are near; only the next position asks again.
  private func fail(_ error: DBusError) {
    if isEndless { ScreenOutput.tell("the nearest places are unknown: \(error.message)") } else { link.end(Failure(refusal: error)) }
  }

  private func note(_ text: String) {
    reason = text
    if isEndless { ScreenOutput.tell(text) }
  }

  private func giveUp() {
    if let last, last.description != nil { return finish(last, link.client) }
    guard venues?.isEmpty == false else { return link.end(Self.noVenue) }
    let names = (venues ?? []).map { "\"\($0)\"" }.joined(separator: ", ")
    let cause = last == nil ? reason ?? "no source has a fix; see \"beaconmon status\"" : "its location is outside of them"
    let failure = Failure(.temporaryFailure, "this device is in no known venue (\(names)): \(cause)")
    if let last { findAddress(of: last, link.client, or: failure) } else { link.end(failure) }
  }

  private static let noVenue = Failure(
    .unavailable, "beaconmond has no venue; add its file to beaconmon.toml, such as venues = [\"gallery.toml\"], and reload beaconmond")
}

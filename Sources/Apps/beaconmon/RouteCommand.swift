import ArgumentParser
import Failures
import Geodesy
import Instants
import MonitorConfiguration
import ProgramSupport
import Records
import RouteReports
import Terminal
import Venues
import Wayfinding

struct RouteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "route",
    abstract: "Find the way between two places of a venue, and describe it.",
    discussion: """
      FROM and TO are ids or titles of places, points such as 12.5,8@first on the plan of a level, or coordinates such as \
      48.13715,11.57549@first. A point needs no level if the venue has only one; metres have at most two decimals, and degrees four or \
      more. Without --venue the venues of the config are searched.

      --accessible uses only ways that the venue file states to be accessible, and prefers the safest one to the shortest one.

      Exit codes: 64 if there is no such place, 65 if there is no route, 66 if a file cannot be read, 78 for an invalid file.

      Examples:
        beaconmon route reception library --venue three-floors.venue.toml
        beaconmon route reception board-room --accessible --language de
        beaconmon route 3,18@ground terrace --geojson > way.geojson
        beaconmon route -2.5,8@ground library
      """)

  @Argument(help: ArgumentHelp("The start.", valueName: "from"))
  var from: String

  @Argument(help: ArgumentHelp("The destination.", valueName: "to"))
  var to: String

  @Option(help: ArgumentHelp("The venue file. Defaults to the venues of the config.", valueName: "file"))
  var venue: String?

  @Option(help: ArgumentHelp("The config that names the venues.", valueName: "file"))
  var config = ConfigurationFile.systemFile

  @Flag(help: "Use only ways that are known to be accessible, the safest first.")
  var accessible = false

  @Option(
    help: ArgumentHelp("The walking speed in metres a second, 0.1 to 5. Defaults to 1.33, or to 0.8 with --accessible.", valueName: "m/s"))
  var speed: Double?

  @Flag(help: "Print one JSON object.")
  var json = false

  @Flag(help: "Print GeoJSON with a line for each part and a point for each step.")
  var geojson = false

  @OptionGroup var languages: LanguageOptions

  mutating func validate() throws {
    (from, to) = (NegativeNumber.restored(from), NegativeNumber.restored(to))
    for (name, text) in [("start", from), ("destination", to)] where !text.contains(where: { !$0.isWhitespace }) {
      throw ValidationError("the \(name) is empty; write a place, a point or a coordinate")
    }
    if json, geojson { throw ValidationError("--json and --geojson: choose one") }
    if let speed, !(0.1...5).contains(speed) { throw ValidationError("--speed must be from 0.1 to 5") }
  }

  func run() throws {
    if let warning = languages.missingSentences { ScreenOutput.tell(warning) }
    let tags = languages.tags
    let (venue, source) = try chosenVenue()
    let network = WayNetwork(venue)
    let start = try point(from, in: network, "the start")
    let startPlace = try place(from, in: network)?.id
    let end = try destination(network)
    var profile = accessible ? RouteProfile.accessible : .shortest
    profile.speed = speed ?? profile.speed
    let route: Route
    do throws(RouteError) { route = try network.route(from: start, startPlace: startPlace, to: end, profile: profile) } catch {
      throw Failure(.dataError, "\(source): no route from \"\(from)\" to \"\(to)\": \(error)")
    }
    let output = TerminalOutput.standardOutput
    let isMetric = Units.ofEnvironment.isMetric
    if geojson {
      guard let text = route.geoJSON(in: network, languages: tags, isMetric: isMetric) else {
        throw Failure(.dataError, "\(source): has no [frame], which GeoJSON requires; add its latitude, longitude and bearing")
      }
      return try output.write(text)
    }
    let report = route.report(in: network, languages: tags, isMetric: isMetric)
    if json { return try output.write(report.record.json + "\n") }
    let steps = (report.steps ?? []).enumerated().map { "\($0.offset + 1). \($0.element.text ?? "")\n" }
    let head = [report.summary, report.note].compactMap { $0.map { $0 + "\n" } }
    try output.write((head + steps).joined())
  }

  // MARK: Places

  private func chosenVenue() throws(Failure) -> (Venue, String) {
    if let venue {
      do throws(ConfigurationError) { return (try VenueDocument.read(file: venue).venue, venue) } catch { throw Failure(error) }
    }
    let document = try ConfigurationFile(flag: config, isSession: false).read()
    let venues = document.configuration.venues
    guard !venues.isEmpty else { throw Failure(.usage, "\(document.title) names no venue; add its file to venues, or use --venue") }
    // The first venue that has both places; one venue needs no choice.
    let matching = venues.filter { Self.mayContain(from, $0) && Self.mayContain(to, $0) }
    guard let found = venues.count == 1 ? venues.first : matching.first else {
      let names = venues.map(\.id).joined(separator: ", ")
      throw Failure(.usage, "no venue has both \"\(from)\" and \"\(to)\"; choose its file with --venue (venues: \(names))")
    }
    return (found, found.id)
  }

  /// Returns whether a venue has a place that a text may mean, or the level of a point.
  private static func mayContain(_ text: String, _ venue: Venue) -> Bool {
    if let found = find(text, in: venue) { return !found.isEmpty }
    let halves = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    return halves.count > 1 ? venue.levels.contains { $0.id == halves[1] } : venue.levels.count == 1
  }

  /// Returns the places that a text may mean; nil for a point.
  private static func find(_ text: String, in venue: Venue) -> [Place]? {
    if let place = venue.places.first(where: { $0.id == text }) { return [place] }
    if text.split(separator: "@").first?.split(separator: ",").compactMap({ Double($0) }).count == 2 { return nil }
    let lowered = text.lowercased()
    let exact = venue.places.filter { $0.title.versions.contains { $0.text.lowercased() == lowered } }
    return exact.isEmpty ? Catalogue([venue]).search(text, limit: 2).map(\.place) : exact
  }

  private func place(_ text: String, in network: WayNetwork) throws(Failure) -> Place? {
    guard let found = Self.find(text, in: network.venue) else { return nil }
    guard let first = found.first else {
      let known = network.venue.places.map(\.id)
      let names = known.prefix(8).joined(separator: ", ") + (known.count > 8 ? " and \(known.count - 8) more" : "")
      throw Failure(.usage, "there is no place \"\(text)\"; the places of \(network.venue.id) are \(names.isEmpty ? "none" : names)")
    }
    if found.count > 1, first.id != text {
      let names = found.map { "\"\($0.id)\"" }.joined(separator: " or ")
      throw Failure(.usage, "\"\(text)\" means several places, such as \(names); write the id")
    }
    return first
  }

  private func point(_ text: String, in network: WayNetwork, _ name: String) throws(Failure) -> VenuePoint {
    if let place = try place(text, in: network), let level = network.level(place.level) { return VenuePoint(place.position, level: level) }
    let levels = network.venue.levels
    let ids = levels.map(\.id).joined(separator: ", ")
    guard let argument = try pair(text) else {
      throw Failure(.usage, "\(name) \"\(text)\" is not a point; write metres or degrees, such as 12.5,8@\(levels[0].id)")
    }
    if let id = argument.level, network.level(id) == nil {
      throw Failure(.usage, "\(name) \"\(text)\": \(network.venue.id) has no level \"\(id)\"; the levels are \(ids)")
    }
    guard let level = argument.level.map({ network.level($0) }) ?? (levels.count == 1 ? 0 : nil) else {
      let point = text.prefix { $0 != "@" }
      throw Failure(.usage, "\(name) \"\(text)\" needs a level, such as \(point)@\(levels[0].id); the levels are \(ids)")
    }
    let (latitude, longitude): (Double, Double)
    switch argument.kind {
    case .plan(let x, let y): return VenuePoint(PlanPoint(x: x, y: y), level: level)
    case .coordinate(let north, let east): (latitude, longitude) = (north, east)
    }
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      throw Failure(.usage, "\(name) \"\(text)\": the latitude is -90 to 90, and comes first")
    }
    guard let frame = network.venue.frame else {
      throw Failure(.dataError, "\(network.venue.id): has no [frame], which coordinates require; write a point of the plan")
    }
    return VenuePoint(frame.point(for: coordinate), level: level)
  }

  private func pair(_ text: String) throws(Failure) -> PointArgument? {
    do throws(PointArgument.Ambiguity) {
      return try PointArgument(text)
    } catch {
      throw Failure(.usage, "\(error)")
    }
  }

  private func destination(_ network: WayNetwork) throws(Failure) -> Route.Destination {
    if let place = try place(to, in: network), let destination = network.destination(place.id) { return destination }
    return Route.Destination(try point(to, in: network, "the destination"))
  }
}

import ArgumentParser
import Failures
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
    if let warning = languages.missingSentences { ScreenOutput.note(warning) }
    let tags = languages.tags
    let (venue, source) = try chosenVenue()
    let network = WayNetwork(venue)
    let (start, end) = try ends(network)
    var profile = accessible ? RouteProfile.accessible : .shortest
    profile.speed = speed ?? profile.speed
    let route: Route
    do throws(RouteError) {
      route = try network.route(from: start.point, startPlace: start.place, to: end.destination(in: network), profile: profile)
    } catch {
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
    do throws(RouteEndError) {
      let venue = try RouteEnd.venue(of: venues, from: from, to: to)
      return (venue, venue.id)
    } catch {
      throw Failure(error)
    }
  }

  private func ends(_ network: WayNetwork) throws(Failure) -> (RouteEnd, RouteEnd) {
    do throws(RouteEndError) {
      return (try RouteEnd(from, as: .start, in: network), try RouteEnd(to, as: .destination, in: network))
    } catch {
      throw Failure(error)
    }
  }
}

extension Failure {
  fileprivate init(_ error: RouteEndError) {
    if case .noFrame = error { self.init(.dataError, "\(error)") } else { self.init(.usage, "\(error)") }
  }
}

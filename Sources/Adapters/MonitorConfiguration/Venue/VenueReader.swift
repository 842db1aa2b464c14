import Beacons
import Diagnostics
import Geodesy
import Venues

/// Converts the top table of a venue file into a venue, and reports every problem.
struct VenueReader {
  var top: TableReader
  var lines = VenueDocument.Lines()
  /// The UUIDs of the file; the first one is the default of beacons.
  var uuids: [BeaconUUID] = []
  /// The ids of the levels. A file without levels has one.
  var levels: Set<String> = []
  var beacons: [BeaconIdentity: PlannedBeacon] = [:]
  var places: Set<String> = []
  var nodes: Set<String> = []

  /// Whether to read the file of a survey.
  private let readsFiles: Bool

  init(_ top: TableReader, readsFiles: Bool = true) {
    (self.top, self.readsFiles) = (top, readsFiles)
  }

  /// Returns the venue, which is meaningful only if no problem was reported.
  ///
  /// - Parameter id: The id of a venue whose file has none.
  consuming func venue(called id: String) -> (Venue, VenueDocument.Lines) {
    if let format = top.require("format", as: .integer(1...1_000_000)), format != VenueDocument.format {
      top.report("format", "\(format) is newer than this program, which reads format \(VenueDocument.format); install a newer version")
    }
    let written = top.read("id", as: .venueID(of: "venue", example: "gallery"))
    if written != nil { lines.id = top.line(of: "id") }
    var venue = Venue(id: written ?? id)
    lines.name = top.line(of: "name")
    venue.name = top.read("name", as: .title) ?? LocalizedText()
    uuids = top.read("uuid", as: .uuids) ?? []
    venue.roles = top.read("majors", as: .majors) ?? [:]
    venue.accuracy = top.read("accuracy", as: .number(Venue.accuracies))
    venue.isImported = top.read("imported", as: .flag) ?? false
    if let table = top.table("frame") { (venue.frame, venue.radius) = Self.frame(table) }
    if let table = top.table("nearby") {
      lines.nearby = table.line
      venue.nearby = Self.nearby(table)
    }
    venue.levels = readLevels()
    venue.walls = readWalls()
    venue.beacons = readBeacons()
    venue.places = readPlaces()
    venue.nodes = readNodes()
    venue.edges = readEdges()
    venue.lifts = readLifts(levels: Dictionary(venue.nodes.map { ($0.id, $0.level) }) { first, _ in first })
    venue.appointments = readAppointments()
    venue.calendars = top.read("calendar", as: .calendarFiles) ?? []
    for calendar in venue.calendars { top.refer("calendar", to: .venueFile(calendar)) }
    // Beacons may have UUIDs that the top does not name.
    let others = Set(venue.beacons.map(\.identity.uuid)).subtracting(uuids)
    venue.uuids = uuids + others.sorted()
    lines.survey = top.line(of: "survey")
    if let file = top.read("survey", as: .venueFile(example: "survey.csv")) {
      top.refer("survey", to: .venueFile(file))
      if readsFiles { venue.survey = readSurvey(file, of: venue) }
    }
    top.finish()
    return (venue, lines)
  }

  /// Reads the file of a survey, which is in the folder of the venue file or below it.
  private func readSurvey(_ name: String, of venue: Venue) -> VenueSurvey? {
    let path = ConfigurationFiles.folder(of: top.file) + name
    do throws(ConfigurationError) {
      let text = try ConfigurationFile.text(of: path, limit: .survey)
      do throws(PositionTableError) { return try VenueSurvey(csv: text, file: name, of: venue) } catch {
        throw .invalid([ConfigurationProblem(file: path, line: error.line, column: nil, message: error.message)])
      }
    } catch {
      if case .invalid(let problems) = error { top.report(problems) } else { top.report("survey", "\(error)") }
      return nil
    }
  }

  /// Returns the location of the plan, and the radius of the circle around the venue.
  private static func frame(_ table: consuming TableReader) -> (VenueFrame?, radius: Double?) {
    let latitude = table.require("latitude", as: .latitude)
    let longitude = table.require("longitude", as: .number(-180...180))
    let bearing = table.read("bearing", as: .number(-360...360))
    let radius = table.read("radius", as: .number(1...100_000))
    table.finish()
    guard let latitude, let longitude, let origin = Coordinate(latitude: latitude, longitude: longitude) else { return (nil, radius) }
    return (VenueFrame(origin: origin, bearing: bearing ?? 0), radius)
  }
}

// MARK: References

extension VenueReader {
  /// Returns the level of a table, which may omit it if the venue has only one.
  ///
  /// - Parameter fallback: The level of a part that the table refers to.
  func level(_ table: inout TableReader, fallback: String? = nil) -> String? {
    let level = table.read("level", as: .text(example: "ground"))
    guard table.has("level") else {
      if let fallback { return fallback }
      if levels.count == 1 { return levels.first }
      table.report(nil, "missing key \"level\"; the venue has several levels: \(Self.list(levels))")
      return nil
    }
    guard let level else { return nil }
    if levels.contains(level) { return level }
    table.report("level", "there is no level \(level.quoted); \(Self.advice(for: level, in: levels, "[[level]]"))")
    return nil
  }

  static func advice(for name: String, in names: Set<String>, _ header: String) -> String {
    // Sorting thousands of names for each of thousands of mistakes would take minutes.
    let nearest = names.count <= 500 ? NearestName.of(name, in: names.sorted()) : nil
    return nearest.map { "did you mean \($0.quoted)?" } ?? "define it in a \(header)"
  }

  private static func list(_ names: Set<String>) -> String {
    let sorted = names.sorted()
    return sorted.prefix(5).joined(separator: ", ") + (sorted.count > 5 ? " and \(sorted.count - 5) more" : "")
  }
}

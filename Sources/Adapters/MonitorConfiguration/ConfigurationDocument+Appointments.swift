import ConfigurationTree
import Departures
import Diagnostics
import Instants
import Venues

// Appointments and calendars.

/// A table `[[appointment]]` of the configuration.
struct WrittenAppointment: Hashable, Sendable {
  var title: LocalizedText
  var start: Instant
  /// The id or the title of the place.
  var place: String
  /// The id of the venue; nil searches all.
  var venue: String?
  var margin: Span
  var line: SourceLine?
}

extension ConfigurationReader {
  static func appointments(_ tables: [TableReader]) -> [WrittenAppointment] {
    if tables.count > mostAppointments {
      tables[mostAppointments].report(
        nil, "is one of \(tables.count) appointments; at most \(mostAppointments) are allowed, so write them to a calendar")
    }
    return tables.prefix(mostAppointments).compactMap { table in
      var table = table
      let title = table.read("title", as: .title)
      if let title = title?.text { table.rename("appointment \(title.quoted)") }
      let start = table.require("at", as: .instant)
      let place = table.require("place", as: .text(example: "lodestone"))
      let venue = table.read("venue", as: .text(example: "gallery"))
      let margin = table.read("margin", as: .duration(.zero ... .seconds(86_400)))
      let line = table.line
      table.finish()
      guard let start, let place else { return nil }
      return WrittenAppointment(
        title: title ?? LocalizedText(), start: start, place: place, venue: venue, margin: margin ?? Appointment.defaultMargin, line: line)
    }
  }

  /// The maximum number of tables of a file.
  private static let mostAppointments = 200

  static func walking(_ table: consuming TableReader) -> WalkingSettings {
    var settings = WalkingSettings()
    settings.speed = table.read("speed", as: .number(0.3...3))
    settings.isAccessible = table.read("accessible", as: .flag, default: .flag(false)) ?? false
    table.finish()
    return settings
  }
}

extension ConfigurationDocument {
  /// Finds the places of the appointments, and resolves the paths of the calendars.
  mutating func findAppointments() throws(ConfigurationError) {
    var problems: [ConfigurationProblem] = []
    for written in appointments {
      do throws(AppointmentPlace.Failure) {
        let place = try AppointmentPlace(written.place, venue: written.venue, in: configuration.venues)
        configuration.appointments.append(
          PlannedAppointment(
            id: .init(venue: place.venue, place: place.place, start: written.start), title: written.title, margin: written.margin))
        lines.appointments.append(written.line)
      } catch .ambiguous(let places) {
        problems.append(
          problem(
            written.line,
            "appointment: place: several places have the name \(written.place.quoted) (\(places.joined(separator: ", "))); "
              + (written.venue == nil ? "add venue, or write the id of one" : "write the id of one")))
      } catch {
        problems.append(problem(written.line, "appointment: \(unknownPlace(of: written))"))
      }
    }
    guard problems.isEmpty else { throw .invalid(problems) }
    configuration.calendars = calendarFiles.map { CalendarReference(path: resolved($0)) }
    for venue in configuration.venues { addAppointments(of: venue) }
  }

  mutating func addAppointments(of venue: Venue) {
    configuration.appointments += venue.appointments.map { PlannedAppointment($0, venue: venue.id) }
    configuration.calendars += venue.calendars.map { CalendarReference(path: $0, venue: venue.id) }
  }

  private func unknownPlace(of written: WrittenAppointment) -> String {
    let venues = configuration.venues
    if let id = written.venue, !venues.contains(where: { $0.id == id }) {
      return "venue: no file in venues has the id \(id.quoted); correct it, or add the file to venues"
    }
    if venues.isEmpty { return "place: there is no venue; add its file to venues" }
    let known = venues.filter { written.venue == nil || $0.id == written.venue }.flatMap { $0.places.map(\.id) }
    // Sorting thousands of names for each of many mistakes would take long.
    let nearest = known.count <= 500 ? NearestName.of(written.place, in: known) : nil
    return "place: no venue has the place \(written.place.quoted); "
      + (nearest.map { "did you mean \($0.quoted)?" } ?? "write the id or the title of a [[place]]")
  }

  /// Returns the appointments that no advice can follow, and the problems of calendars, each with its remedy.
  ///
  /// - Parameters:
  ///   - now: the time since the Unix epoch.
  ///   - read: reads a calendar.
  public func appointmentWarnings(at now: Instant, read: (String) -> CalendarContent) -> [ConfigurationProblem] {
    var warnings: [ConfigurationProblem] = []
    func isPast(_ start: Instant) -> String? {
      start < now ? "at: \(start.rfc3339.prefix(19))Z is in the past, so no advice follows; remove the appointment" : nil
    }
    for (appointment, line) in zip(configuration.appointments, lines.appointments) {
      if let message = isPast(appointment.id.start) { warnings.append(problem(line, "appointment: \(message)")) }
    }
    for document in venues {
      for (appointment, line) in zip(document.venue.appointments, document.lines.appointments) {
        guard let message = isPast(appointment.at) else { continue }
        warnings.append(ConfigurationProblem(file: document.file, line: line?.number, column: nil, message: "appointment: \(message)"))
      }
    }
    let targets = Set(configuration.appointments.map(\.id.venue) + configuration.calendars.compactMap(\.venue))
    for document in venues where targets.contains(document.venue.id) && document.venue.frame == nil {
      warnings.append(
        ConfigurationProblem(
          file: document.file, line: nil, column: nil,
          message: "appointment: the venue has no [frame], so the way from a location is unknown; add latitude and longitude"))
    }
    for calendar in configuration.calendars {
      warnings += calendar.problems(read(calendar.path), in: configuration.venues).map {
        ConfigurationProblem(file: calendar.path, line: nil, column: nil, message: $0)
      }
    }
    return warnings
  }
}

extension ValueDecoder where Value == [String] {
  /// The paths of iCalendar files: one, or several.
  static var calendarFiles: ValueDecoder {
    ValueDecoder(.either([.text(pattern: "[^/]$"), .list(.text(pattern: "[^/]$"), count: 0...mostCalendars, isUnique: true)])) {
      node throws(DecodingIssue) in
      var paths: [String]
      if case .list = node.value {
        paths = try ValueDecoder.list(of: .text(example: "tour.ics"), example: "[\"tour.ics\"]").decode(node)
      } else {
        paths = [try ValueDecoder<String>.text(example: "tour.ics").decode(node)]
      }
      guard paths.count <= mostCalendars else {
        throw DecodingIssue("has \(paths.count) files; at most \(mostCalendars) are allowed")
      }
      guard !paths.contains(where: { $0.isEmpty || $0.hasSuffix("/") }) else {
        throw DecodingIssue("contains no file; write the path of an iCalendar file, such as \"tour.ics\"")
      }
      var seen: Set<String> = []
      if let twice = paths.first(where: { !seen.insert($0).inserted }) {
        throw DecodingIssue("has \(twice.quoted) twice; remove one of them")
      }
      return paths
    }
  }

  private static var mostCalendars: Int { 16 }
}

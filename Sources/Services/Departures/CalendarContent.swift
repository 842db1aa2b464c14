import Instants
import Venues

/// An event of a calendar that may be an appointment, at one time.
public struct CalendarEntry: Hashable, Sendable {
  /// The beginning since the Unix epoch.
  public var start: Instant
  public var title: String?
  /// The value of LOCATION.
  public var location: String?
  /// The value of X-BEACONMON-PLACE, which takes precedence.
  public var place: String?

  public init(start: Instant, title: String? = nil, location: String? = nil, place: String? = nil) {
    (self.start, self.title, self.location, self.place) = (start, title, location, place)
  }
}

/// The next events of a calendar, and its problems.
public struct CalendarContent: Hashable, Sendable {
  public var entries: [CalendarEntry] = []
  /// The events that are ignored, each with its remedy.
  public var warnings: [String] = []
  /// The reason why nothing was read; nil if the calendar was.
  public var failure: String?
  /// Whether the failure is that there is no file.
  public var isMissing = false
  /// Whether the calendar was read to its end.
  public var isComplete = true

  public init(entries: [CalendarEntry] = [], warnings: [String] = [], failure: String? = nil) {
    (self.entries, self.warnings, self.failure) = (entries, warnings, failure)
  }
}

/// A calendar of the config or of a venue file.
public struct CalendarReference: Hashable, Sendable {
  public var path: String
  /// The id of the venue in whose places its events are; nil for all venues.
  public var venue: String?

  public init(path: String, venue: String? = nil) {
    (self.path, self.venue) = (path, venue)
  }

  /// Returns the events at known places as appointments. A location that is not a place of a venue is elsewhere.
  ///
  /// `problems` names the places that are unknown or ambiguous.
  public func appointments(_ content: CalendarContent, in venues: [Venue]) -> [PlannedAppointment] {
    content.entries.compactMap { entry in
      guard let name = entry.place ?? entry.location, let place = try? AppointmentPlace(name, venue: venue, in: venues) else { return nil }
      return PlannedAppointment(
        id: .init(venue: place.venue, place: place.place, start: entry.start),
        title: entry.title.map { LocalizedText($0) } ?? LocalizedText(), calendar: path)
    }
  }

  /// Returns the problems of a calendar, each with its remedy.
  ///
  /// They are those of the reader, places that no venue has, and names that several places have.
  public func problems(_ content: CalendarContent, in venues: [Venue]) -> [String] {
    var problems = (content.failure.map { [$0] } ?? []) + content.warnings
    var (seen, elsewhere): (Set<String>, [String]) = ([], [])
    for entry in content.entries {
      guard let name = entry.place ?? entry.location, seen.insert(name).inserted else { continue }
      let property = entry.place == nil ? "LOCATION" : "X-BEACONMON-PLACE"
      do throws(AppointmentPlace.Failure) {
        _ = try AppointmentPlace(name, venue: venue, in: venues)
      } catch .ambiguous(let places) {
        problems.append(
          "\(property): several places have the name \"\(name)\" (\(places.joined(separator: ", "))); "
            + "write the id of one as X-BEACONMON-PLACE, or name the calendar in the file of its venue")
      } catch {
        guard entry.place != nil else {
          elsewhere.append(name)
          continue
        }
        problems.append("X-BEACONMON-PLACE: no venue has the place \"\(name)\"; write the id or the title of a [[place]]")
      }
    }
    // A calendar of meetings has many such events, so they share one line.
    if let first = elsewhere.first {
      let others = elsewhere.count == 1 ? "" : " and \(elsewhere.count - 1) more"
      problems.append(
        "LOCATION: \"\(first)\"\(others) is not a place of a venue, so these events are not appointments; "
          + "write the id or the title of a [[place]] if the event is there")
    }
    return problems
  }
}

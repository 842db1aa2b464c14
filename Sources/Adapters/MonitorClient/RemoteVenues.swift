import DBus
import MonitorProtocol
import Records
import Venues

/// The places and plans of the venues that the daemon knows. Every user may read them.
public struct RemoteVenues {
  /// The point from which places are near.
  public enum Origin: Sendable {
    /// Degrees on WGS84.
    case earth(latitude: Double, longitude: Double)
    /// Metres on the plan of a venue, which is required if there are several.
    case plan(x: Double, y: Double)
  }

  let connection: DBusConnection
  /// The language of texts; nil for that of the daemon.
  let locale: String?

  /// Requests the levels of a venue, or of all, without their areas, walls and beacons.
  public func plans(venue: String? = nil, _ completion: @escaping (Result<[PlanReport], DBusError>) -> Void) {
    list("Plans", [options(venue: venue)], completion)
  }

  /// Requests a level with everything that is needed to draw it.
  public func plan(ofLevel level: String, venue: String? = nil, _ completion: @escaping (Result<PlanReport, DBusError>) -> Void) {
    one("Plan", [.string(level), options(venue: venue)], completion)
  }

  /// Requests the survey of a level, at most 1,000 readings at a time.
  ///
  /// - Parameter offset: the number of readings to skip.
  public func survey(
    ofLevel level: String, venue: String? = nil, offset: Int = 0, _ completion: @escaping (Result<[SurveyReadingReport], DBusError>) -> Void
  ) {
    // The language of texts is not an option.
    let options = [("offset", DBusValue.int64(Int64(offset)))] + (venue.map { [("venue", DBusValue.string($0))] } ?? [])
    list("Survey", [.string(level), .options(options)], completion)
  }

  /// Requests places in the order of the files, without their areas, texts and media.
  ///
  /// - Parameters:
  ///   - offset: the number of places to skip.
  ///   - limit: at most 250 places; nil for 50.
  ///   - hasAreas: whether each place has its area.
  public func places(
    venue: String? = nil, level: String? = nil, offset: Int = 0, limit: Int? = nil, hasAreas: Bool = false,
    _ completion: @escaping (Result<[PlaceReport], DBusError>) -> Void
  ) {
    list("Places", [options(venue: venue, level: level, offset: offset, limit: limit, hasAreas: hasAreas)], completion)
  }

  /// Requests a place with its area, text, links and media.
  public func place(_ id: String, venue: String? = nil, _ completion: @escaping (Result<PlaceReport, DBusError>) -> Void) {
    one("Place", [.string(id), options(venue: venue)], completion)
  }

  /// Requests the places next to a point, nearest first, with their distances.
  public func places(
    near origin: Origin, venue: String? = nil, level: String? = nil, limit: Int? = nil,
    _ completion: @escaping (Result<[PlaceReport], DBusError>) -> Void
  ) {
    let point: DBusValue =
      switch origin {
      case .earth(let latitude, let longitude): .options([("latitude", .double(latitude)), ("longitude", .double(longitude))])
      case .plan(let x, let y): .options([("x", .double(x)), ("y", .double(y))])
      }
    list("PlacesNear", [point, options(venue: venue, level: level, limit: limit)], completion)
  }

  /// Requests the places whose title, id or text contains all words, the best match first.
  ///
  /// - Parameter kind: the kind of place; nil for all.
  public func search(
    _ text: String, kind: String? = nil, limit: Int? = nil, _ completion: @escaping (Result<[PlaceReport], DBusError>) -> Void
  ) {
    list("Search", [.string(text), .string(kind ?? ""), options(limit: limit)], completion)
  }

  private func options(venue: String? = nil, level: String? = nil, offset: Int = 0, limit: Int? = nil, hasAreas: Bool = false)
    -> DBusValue
  {
    let texts = [("locale", locale), ("venue", venue), ("level", level)].compactMap { key, text in text.map { (key, DBusValue.string($0)) }
    }
    let numbers = [("offset", offset == 0 ? nil : offset), ("limit", limit)].compactMap { key, number in
      number.map { (key, DBusValue.int64(Int64($0))) }
    }
    return .options(texts + numbers + (hasAreas ? [("areas", .boolean(true))] : []))
  }

  private func list<Report: RecordRepresentable>(
    _ member: String, _ arguments: [DBusValue], _ completion: @escaping (Result<[Report], DBusError>) -> Void
  ) {
    call(member, arguments) { completion($0.map { ($0.first?.elements ?? []).compactMap { Record($0) }.map(Report.init) }) }
  }

  private func one<Report: RecordRepresentable>(
    _ member: String, _ arguments: [DBusValue], _ completion: @escaping (Result<Report, DBusError>) -> Void
  ) {
    call(member, arguments) { completion($0.map { Report($0.first.flatMap { Record($0) } ?? Record()) }) }
  }

  private func call(_ member: String, _ arguments: [DBusValue], _ completion: @escaping (Result<[DBusValue], DBusError>) -> Void) {
    connection.call(
      destination: MonitorNames.bus, path: MonitorNames.root, interface: MonitorNames.venue, member: member, arguments,
      completion: completion)
  }
}

extension MonitorClient {
  /// - Parameter locale: the language of texts, such as `de_CH.UTF-8` or `de:en`; nil for that of the daemon.
  public func venues(locale: String? = nil) -> RemoteVenues { RemoteVenues(connection: connection, locale: locale) }
}

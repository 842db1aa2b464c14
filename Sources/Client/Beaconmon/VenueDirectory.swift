internal import DBus
internal import MonitorClient
internal import MonitorProtocol
internal import Records
internal import Venues

/// The places and levels of the venues whose files the service's config names.
///
/// The directory says nothing about the location of the device, so it needs no consent. Each call asks the service, over a connection of
/// its own. The service sends no notification when venue files change; ask again when `LocationManager.serviceUpdates` reports a gap.
public struct VenueDirectory: Sendable {
  /// The D-Bus of the service.
  public let bus: Bus
  /// The language of texts, such as `de`, `de_CH.UTF-8` or `de:en`; nil for that of the service.
  public let language: String?

  public init(bus: Bus = .automatic, language: String? = nil) {
    (self.bus, self.language) = (bus, language)
  }

  /// Returns all levels, without their areas, walls and beacons.
  ///
  /// - Parameter venue: the id of a venue; nil for all.
  public func levels(venue: String? = nil) async throws(VenueError) -> [VenueLevel] {
    try await ask { $0.plans(venue: venue, $1) }.compactMap { VenueLevel($0) }
  }

  /// Returns a level with everything that is needed to draw it.
  ///
  /// - Parameters:
  ///   - id: the id of the level.
  ///   - venue: the id of the venue; nil for the first that has the level.
  public func level(_ id: String, venue: String? = nil) async throws(VenueError) -> VenueLevel {
    let report = try await ask { $0.plan(ofLevel: id, venue: venue, $1) }
    guard let level = VenueLevel(report) else { throw VenueError(.network, "the answer of the service is not a level") }
    return level
  }

  /// Returns all places in the order of the files, without their areas, texts and media.
  ///
  /// A directory with more than 250 places takes several calls.
  ///
  /// - Parameters:
  ///   - venue: the id of a venue; nil for all.
  ///   - level: the id of a level; nil for all.
  public func places(venue: String? = nil, level: String? = nil) async throws(VenueError) -> [Place] {
    var places: [Place] = []
    var offset = 0
    while true {
      let start = offset
      let page = try await ask { $0.places(venue: venue, level: level, offset: start, limit: Self.page, $1) }
      places += page.compactMap { Place($0) }
      offset += page.count
      guard page.count == Self.page else { return places }
    }
  }

  /// Returns a place with its area, text, links and media.
  ///
  /// - Parameters:
  ///   - id: the id of the place.
  ///   - venue: the id of the venue; nil for the first that has the place.
  public func place(_ id: String, venue: String? = nil) async throws(VenueError) -> Place {
    let report = try await ask { $0.place(id, venue: venue, $1) }
    guard let place = Place(report) else { throw VenueError(.network, "the answer of the service is not a place") }
    return place
  }

  /// Returns the places nearest to a coordinate, the nearest first, with their distances.
  ///
  /// - Parameters:
  ///   - coordinate: the location, usually that of the device.
  ///   - venue: the id of a venue; nil for all.
  ///   - level: the id of a level; nil for all. Distances ignore the height, so pass the level of the location.
  ///   - limit: at most 250.
  public func places(
    near coordinate: LocationCoordinate2D, venue: String? = nil, level: String? = nil, limit: Int = 10
  ) async throws(VenueError) -> [Place] {
    try await places(.earth(latitude: coordinate.latitude, longitude: coordinate.longitude), venue, level, limit)
  }

  /// Returns the places nearest to a point on the plan of a venue, in metres with y up.
  public func places(
    near point: FloorPlan.Point, venue: String, level: String? = nil, limit: Int = 10
  ) async throws(VenueError) -> [Place] {
    try await places(.plan(x: point.x, y: point.y), venue, level, limit)
  }

  /// Returns the places whose title, id or text contains all words, the best match first.
  ///
  /// The service compares titles in all languages, without regard to case.
  ///
  /// - Parameters:
  ///   - text: the words to look for.
  ///   - kind: the kind of place; nil for all.
  ///   - limit: at most 250.
  public func search(_ text: String, kind: Place.Kind? = nil, limit: Int = 50) async throws(VenueError) -> [Place] {
    try await ask { $0.search(text, kind: kind?.rawValue, limit: max(0, limit), $1) }.compactMap { Place($0) }
  }

  /// The maximum number of places in an answer of the service.
  private static let page = 250

  private func places(
    _ origin: RemoteVenues.Origin, _ venue: String?, _ level: String?, _ limit: Int
  ) async throws(VenueError) -> [Place] {
    try await ask { $0.places(near: origin, venue: venue, level: level, limit: max(0, limit), $1) }
      .compactMap { Place($0) }
  }

  private func ask<Answer: Sendable>(
    _ question: @escaping @Sendable (RemoteVenues, @escaping (Result<Answer, DBusError>) -> Void) -> Void
  ) async throws(VenueError) -> Answer {
    let language = language
    do throws(DBusError) {
      return try await ServiceQuery.ask(bus) { client, completion in question(client.venues(locale: language), completion) }
    } catch {
      throw VenueError(error)
    }
  }
}

/// A reason why the service does not answer a question about venues, with its remedy.
public struct VenueError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Code: String, Hashable, Sendable {
    case noSuchPlace
    case noSuchLevel
    case noSuchVenue
    /// A value of the request is invalid, such as a latitude beyond 90 degrees.
    case invalidRequest
    /// The service is unavailable.
    case network
  }

  public let code: Code
  /// The human-readable reason and remedy.
  public let message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { message }
}

extension VenueError {
  fileprivate init(_ error: DBusError) {
    let code: Code =
      switch error.monitorError {
      case .noSuchPlace: .noSuchPlace
      case .noSuchLevel: .noSuchLevel
      case .noSuchVenue: .noSuchVenue
      case .invalidOptions: .invalidRequest
      default: error.isStandard("InvalidArgs") ? .invalidRequest : .network
      }
    self.init(code, error.message)
  }
}

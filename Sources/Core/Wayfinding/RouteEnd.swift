import Geodesy
import Venues

/// The start or the destination of a route, as a text names it.
///
/// The text is the id or a title of a place, a point of a plan, or a coordinate.
public struct RouteEnd: Hashable, Sendable {
  public enum Role: String, Sendable {
    case start
    case destination
  }

  public let point: VenuePoint
  /// The id of the place; nil for a point or a coordinate.
  public let place: String?

  /// Throws if the text names no place and no point of the network, or several of them.
  public init(_ text: String, as role: Role, in network: WayNetwork) throws(RouteEndError) {
    let place = try Self.place(text, in: network.venue)
    self.place = place?.id
    if let place, let level = network.level(place.level) {
      point = VenuePoint(place.position, level: level)
    } else {
      point = try Self.point(text, role, in: network)
    }
  }

  /// The destination with the radius of its place.
  public func destination(in network: WayNetwork) -> Route.Destination {
    place.flatMap { network.destination($0) } ?? Route.Destination(point)
  }

  /// Returns the venue in which both texts may name an end: the only one, or the first that may have both.
  public static func venue(of venues: [Venue], from: String, to: String) throws(RouteEndError) -> Venue {
    let matching = venues.filter { mayContain(from, $0) && mayContain(to, $0) }
    guard let found = venues.count == 1 ? venues.first : matching.first else {
      throw .noVenue(from: from, to: to, venues: venues.map(\.id))
    }
    return found
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

  private static func place(_ text: String, in venue: Venue) throws(RouteEndError) -> Place? {
    guard let found = find(text, in: venue) else { return nil }
    guard let first = found.first else { throw .noPlace(text, venue: venue.id, places: venue.places.map(\.id)) }
    if found.count > 1, first.id != text { throw .severalPlaces(text, ids: found.map(\.id)) }
    return first
  }

  private static func point(_ text: String, _ role: Role, in network: WayNetwork) throws(RouteEndError) -> VenuePoint {
    let levels = network.venue.levels.map(\.id)
    let argument: PointText?
    do throws(PointText.Ambiguity) { argument = try PointText(text) } catch { throw .ambiguous(error) }
    guard let argument else { throw .noPoint(role, text, level: levels.first ?? "") }
    if let id = argument.level, network.level(id) == nil { throw .noLevel(role, text, id, venue: network.venue.id, levels: levels) }
    guard let level = argument.level.map({ network.level($0) }) ?? (levels.count == 1 ? 0 : nil) else {
      throw .levelRequired(role, text, levels: levels)
    }
    switch argument.kind {
    case .plan(let x, let y): return VenuePoint(PlanPoint(x: x, y: y), level: level)
    case .coordinate(let latitude, let longitude):
      guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else { throw .noCoordinate(role, text) }
      guard let frame = network.venue.frame else { throw .noFrame(venue: network.venue.id) }
      return VenuePoint(frame.point(for: coordinate), level: level)
    }
  }
}

/// The reason why a text is not an end of a route.
public enum RouteEndError: Error, Hashable, Sendable {
  case noVenue(from: String, to: String, venues: [String])
  case noPlace(String, venue: String, places: [String])
  case severalPlaces(String, ids: [String])
  case ambiguous(PointText.Ambiguity)
  case noPoint(RouteEnd.Role, String, level: String)
  case noLevel(RouteEnd.Role, String, String, venue: String, levels: [String])
  case levelRequired(RouteEnd.Role, String, levels: [String])
  case noCoordinate(RouteEnd.Role, String)
  /// A coordinate in a venue whose location on the earth is unknown.
  case noFrame(venue: String)
}

extension RouteEndError: CustomStringConvertible {
  /// The maximum number of places in the description.
  private static let named = 8

  public var description: String {
    switch self {
    case .noVenue(let from, let to, let venues):
      "no venue has both \"\(from)\" and \"\(to)\"; choose its file with --venue (venues: \(venues.joined(separator: ", ")))"
    case .noPlace(let text, let venue, let places):
      "there is no place \"\(text)\"; the places of \(venue) are \(places.isEmpty ? "none" : Self.list(places))"
    case .severalPlaces(let text, let ids):
      "\"\(text)\" means several places, such as \(ids.map { "\"\($0)\"" }.joined(separator: " or ")); write the id"
    case .ambiguous(let ambiguity): "\(ambiguity)"
    case .noPoint(let role, let text, let level):
      "the \(role.rawValue) \"\(text)\" is not a point; write metres or degrees, such as 12.5,8@\(level)"
    case .noLevel(let role, let text, let level, let venue, let levels):
      "the \(role.rawValue) \"\(text)\": \(venue) has no level \"\(level)\"; the levels are \(levels.joined(separator: ", "))"
    case .levelRequired(let role, let text, let levels):
      "the \(role.rawValue) \"\(text)\" needs a level, such as \(text.prefix { $0 != "@" })@\(levels.first ?? ""); "
        + "the levels are \(levels.joined(separator: ", "))"
    case .noCoordinate(let role, let text): "the \(role.rawValue) \"\(text)\": the latitude is -90 to 90, and comes first"
    case .noFrame(let venue): "\(venue): has no [frame], which coordinates require; write a point of the plan"
    }
  }

  private static func list(_ places: [String]) -> String {
    places.prefix(named).joined(separator: ", ") + (places.count > named ? " and \(places.count - named) more" : "")
  }
}

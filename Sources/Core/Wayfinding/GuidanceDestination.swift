import Diagnostics
public import Geodesy
public import Venues

/// A destination as a client states it: in ids, so that it outlives a change of the venue's file.
public struct GuidanceDestination: Hashable, Sendable {
  public enum Goal: Hashable, Sendable {
    /// The id, the title or words of a place.
    case place(String)
    /// The id of a level, which is reached by the nearest way.
    case level(String)
    /// A point of a plan, and the id of its level; nil for that of a venue with one level.
    case plan(PlanPoint, level: String?)
    /// A point of the earth; nil for a level if there is none, or only one.
    case earth(Coordinate, level: String?)
  }

  public var goal: Goal
  /// The id of the venue; nil for any.
  public var venue: String?

  public init(_ goal: Goal, venue: String? = nil) {
    (self.goal, self.venue) = (goal, venue)
  }
}

/// A destination in a catalogue of venues.
public struct LocatedDestination: Hashable, Sendable {
  public enum Goal: Hashable, Sendable {
    /// A place or a point of the venue.
    case point(Route.Destination)
    /// The index of a level of the venue.
    case level(Int)
    /// A point outside of the venues.
    case outside(Coordinate)
  }

  public var goal: Goal
  /// The index of the venue in the catalogue; nil outside.
  public var venue: Int?

  public init(_ goal: Goal, venue: Int?) {
    (self.goal, self.venue) = (goal, venue)
  }
}

/// The reason why a request for a route or guidance is refused, and what to do.
public struct GuidanceRefusal: Error, Hashable, Sendable {
  public enum Reason: CaseIterable, Sendable {
    case invalidOptions
    case noSuchVenue
    case noSuchLevel
    case noSuchPlace
    case ambiguousPlace
    case noRoute
    case noLocationSource
    case locationUnknown
    case limitsExceeded
  }

  public let reason: Reason
  public let message: String

  public init(_ reason: Reason, _ message: String) {
    (self.reason, self.message) = (reason, message)
  }

  public init(_ error: RouteError) {
    self.init(.noRoute, "there is no route: \(error)")
  }
}

extension Catalogue {
  private static let mostNamed = 8

  /// Finds a destination.
  public func locate(_ destination: GuidanceDestination) throws(GuidanceRefusal) -> LocatedDestination {
    var candidates = Array(venues.indices)
    if let id = destination.venue {
      guard let index = venues.firstIndex(where: { $0.id == id }) else {
        throw GuidanceRefusal(.noSuchVenue, "there is no venue \"\(id)\"; \(Self.advice(id, "the venues are", venues.map(\.id)))")
      }
      candidates = [index]
    }
    switch destination.goal {
    case .place(let text): return try locate(place: text, in: candidates)
    case .level(let id):
      let found = candidates.filter { venues[$0].level(id) != nil }
      let venue = try only(found) { self.noLevel(id, in: candidates) }
      guard let level = venues[venue].levels.firstIndex(where: { $0.id == id }) else { throw noLevel(id, in: candidates) }
      return LocatedDestination(.level(level), venue: venue)
    case .plan(let point, let level):
      guard point.isFinite else { throw GuidanceRefusal(.invalidOptions, "x and y must be finite") }
      let found = level.map { id in candidates.filter { venues[$0].level(id) != nil } } ?? candidates
      let venue = try only(found) { self.noLevel(level ?? "", in: candidates) }
      return LocatedDestination(
        .point(Route.Destination(VenuePoint(point, level: try self.level(level, of: venue)))), venue: venue)
    case .earth(let coordinate, let level): return try locate(coordinate, level: level, in: candidates, isFixed: destination.venue != nil)
    }
  }

  /// Returns the refusal of a level that none of the venues has, with the levels that they have.
  ///
  /// - Parameter candidates: the indices of the venues.
  public func noLevel(_ id: String, in candidates: [Int]) -> GuidanceRefusal {
    if candidates.isEmpty { return Self.noVenue }
    return GuidanceRefusal(
      .noSuchLevel, "there is no level \"\(id)\"; \(Self.advice(id, "the levels are", candidates.flatMap { venues[$0].levels.map(\.id) }))")
  }

  /// Returns the index of a level of a venue; without an id, that of the only one.
  private func level(_ id: String?, of venue: Int) throws(GuidanceRefusal) -> Int {
    let levels = venues[venue].levels
    guard let id else {
      guard levels.count == 1 else {
        throw GuidanceRefusal(
          .invalidOptions, "level is missing; the levels of \(venues[venue].id) are \(Self.list(levels.map(\.id)))")
      }
      return 0
    }
    guard let index = levels.firstIndex(where: { $0.id == id }) else { throw noLevel(id, in: [venue]) }
    return index
  }

  /// Returns a destination in the ids of the places, levels and venues where it was found.
  ///
  /// A changed catalogue then has the same destination or none, whatever its titles and other venues are. A point outside of the venues is
  /// returned unchanged.
  public func identified(_ destination: GuidanceDestination, at located: LocatedDestination) -> GuidanceDestination {
    guard let index = located.venue else { return destination }
    let venue = venues[index]
    var identified = destination
    identified.venue = venue.id
    guard case .point(let point) = located.goal else { return identified }
    let level = venue.levels[point.place.level].id
    switch destination.goal {
    case .place: if let place = point.index { identified.goal = .place(venue.places[place].id) }
    case .plan(let position, _): identified.goal = .plan(position, level: level)
    case .earth(let coordinate, _): identified.goal = .earth(coordinate, level: level)
    case .level: break
    }
    return identified
  }

  private func only(_ found: [Int], otherwise refusal: () -> GuidanceRefusal) throws(GuidanceRefusal) -> Int {
    guard let first = found.first else { throw refusal() }
    guard found.count == 1 else {
      throw GuidanceRefusal(
        .invalidOptions, "venue is missing; several venues have it: \(Self.list(found.map { venues[$0].id }))")
    }
    return first
  }

  private static var noVenue: GuidanceRefusal {
    GuidanceRefusal(.noSuchVenue, "no venue is configured; add its file to venues in beaconmon.toml, such as venues = [\"gallery.toml\"]")
  }

  // MARK: Places

  private func locate(place text: String, in candidates: [Int]) throws(GuidanceRefusal) -> LocatedDestination {
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw GuidanceRefusal(.noSuchPlace, "the name of the place is empty; give its id or its title")
    }
    guard !candidates.isEmpty else { throw Self.noVenue }
    let found = find(text, in: candidates)
    let places = candidates.flatMap { venues[$0].places }
    guard let first = found.first else {
      let titles = places.flatMap { [$0.id] + $0.title.versions.map(\.text) }
      let advice = NearestName.of(text, in: titles).map { "did you mean \"\($0)\"?" } ?? "the places are \(Self.list(places.map(\.id)))"
      throw GuidanceRefusal(.noSuchPlace, "there is no place \"\(text)\"; \(advice)")
    }
    guard found.count == 1 else {
      let names = found.map { candidates.count > 1 ? "\"\($0.place.id)\" (\(venues[$0.venue].id))" : "\"\($0.place.id)\"" }
      throw GuidanceRefusal(
        .ambiguousPlace, "\"\(text)\" means several places: \(Self.list(names)); give the id, and the venue if several have it")
    }
    let venue = venues[first.venue]
    guard let index = venue.places.firstIndex(where: { $0.id == first.place.id }),
      let level = venue.levels.firstIndex(where: { $0.id == first.place.level })
    else { throw GuidanceRefusal(.noSuchLevel, "the place \"\(text)\" is on no level of \(venue.id)") }
    let place = venue.places[index]
    let destination = Route.Destination(
      VenuePoint(place.position, level: level), index: index, radius: place.radius ?? Place.usualRadius)
    return LocatedDestination(.point(destination), venue: first.venue)
  }

  /// Returns the places that a text may mean: that of the id, or those of the title, or those of the words.
  private func find(_ text: String, in candidates: [Int]) -> [Found] {
    func all(where isWanted: (Place) -> Bool) -> [Found] {
      candidates.flatMap { venue in venues[venue].places.filter(isWanted).map { Found(venue: venue, place: $0) } }
    }
    let known = all { $0.id == text }
    if !known.isEmpty { return known }
    let lowered = text.lowercased()
    let titled = all { $0.title.versions.contains { $0.text.lowercased() == lowered } }
    if !titled.isEmpty || lowered.allSatisfy(\.isWhitespace) { return titled }
    return search(text, in: Set(candidates), limit: Self.mostNamed)
  }

  // MARK: Coordinates

  private func locate(
    _ coordinate: Coordinate, level: String?, in candidates: [Int], isFixed: Bool
  ) throws(GuidanceRefusal) -> LocatedDestination {
    let around = candidates.filter { venue in
      venues[venue].frame.map { venues[venue].isAround($0.point(for: coordinate), level: level) } ?? false
    }
    guard let venue = around.first else {
      guard !isFixed, level == nil else {
        let names = Self.list(candidates.map { venues[$0].id })
        throw candidates.isEmpty
          ? Self.noVenue : GuidanceRefusal(.noRoute, "the destination is outside: the coordinate is on no level of \(names)")
      }
      return LocatedDestination(.outside(coordinate), venue: nil)
    }
    guard let frame = venues[venue].frame else { throw GuidanceRefusal(.noRoute, "\(venues[venue].id) has no [frame]") }
    let point = VenuePoint(frame.point(for: coordinate), level: try self.level(level, of: venue))
    return LocatedDestination(.point(Route.Destination(point)), venue: venue)
  }

  private static func list(_ names: [String]) -> String {
    names.isEmpty
      ? "none" : names.prefix(mostNamed).joined(separator: ", ") + (names.count > mostNamed ? " and \(names.count - mostNamed) more" : "")
  }

  private static func advice(_ text: String, _ others: String, _ names: [String]) -> String {
    NearestName.of(text, in: names).map { "did you mean \"\($0)\"?" } ?? "\(others) \(list(names))"
  }
}

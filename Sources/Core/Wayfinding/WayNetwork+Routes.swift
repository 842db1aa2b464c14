import Venues

extension WayNetwork {
  /// The maximum distance in metres from the floor of a place that visitors reach from it, such as an exhibit on a table.
  public static let mostReach = 5.0
  /// The longest straight way to the network in metres over a floor that is not known to be accessible.
  static let snapDistance = 5.0

  /// Returns the best route from a position to a place; nil if the venue has no such place.
  ///
  /// - Parameters:
  ///   - accuracy: of the start, one sigma in metres; nil if it is exact.
  public func route(
    from start: VenuePoint, accuracy: Double? = nil, toPlace id: String, profile: RouteProfile = .shortest
  ) throws(RouteError) -> Route? {
    guard let destination = destination(id) else { return nil }
    return try route(from: start, accuracy: accuracy, to: destination, profile: profile)
  }

  /// Returns a place as a destination; nil if the venue has none with this id.
  public func destination(_ id: String) -> Route.Destination? {
    guard let index = venue.places.firstIndex(where: { $0.id == id }), let level = level(venue.places[index].level) else { return nil }
    let place = venue.places[index]
    return Route.Destination(VenuePoint(place.position, level: level), index: index, radius: place.radius ?? Place.usualRadius)
  }

  /// Throws if visitors cannot stand at a destination, wherever they start.
  public func check(_ destination: Route.Destination) throws(RouteError) {
    guard venue.levels.indices.contains(destination.place.level), destination.place.point.isFinite else { throw .invalidPoint }
    var search = RouteSearch(self, .shortest)
    try search.setDestination(destination)
    if complexLevels.contains(destination.place.level) { throw .tooComplex(level: venue.levels[destination.place.level].id) }
  }

  /// Returns the fastest route to a level: to the end of the stairs, ramps or lifts that lead there.
  ///
  /// - Parameters:
  ///   - accuracy: of the start, one sigma in metres; nil if it is exact.
  ///   - level: the index of a level other than that of the start.
  /// - Complexity: n log n for n links.
  public func route(
    from start: VenuePoint, accuracy: Double? = nil, toLevel level: Int, profile: RouteProfile = .shortest
  ) throws(RouteError) -> Route {
    let isKnown = venue.levels.indices.contains(start.level) && venue.levels.indices.contains(level)
    guard isKnown, start.point.isFinite else { throw .invalidPoint }
    let landings = landings(onLevel: level)
    guard !landings.isEmpty else { throw .island(from: venue.levels[start.level].id, to: venue.levels[level].id) }
    var search = RouteSearch(self, profile)
    try search.setStart(start, accuracy: accuracy ?? 0, place: nil)
    search.setDestinations(landings, level: level)
    return try route(search, accuracy: accuracy, from: start.level, to: level)
  }

  /// Returns the points of a level to which a way from another level leads.
  private func landings(onLevel level: Int) -> [Int] {
    pointsOfLevel[level].filter { point in
      links[point].contains { $0.lift != nil || points[$0.to].level != level }
    }
  }

  /// Returns the best route.
  ///
  /// The accessible profile finds the routes with the fewest hazards, and the fastest one among them. The other profile finds the fastest.
  ///
  /// - Parameters:
  ///   - accuracy: of the start, one sigma in metres; nil if it is exact.
  ///   - place: the id of the place at the start; nil for a point. The nodes that lead to it are its entrances.
  /// - Complexity: n log n for n links.
  public func route(
    from start: VenuePoint, accuracy: Double? = nil, startPlace place: String? = nil, to destination: Route.Destination,
    profile: RouteProfile = .shortest
  ) throws(RouteError) -> Route {
    for end in [start, destination.place] {
      guard venue.levels.indices.contains(end.level), end.point.isFinite else { throw .invalidPoint }
    }
    var search = RouteSearch(self, profile)
    try search.setStart(start, accuracy: accuracy ?? 0, place: place)
    try search.setDestination(destination)
    return try route(search, accuracy: accuracy, from: start.level, to: destination.place.level)
  }

  /// Returns the route that a search finds, or throws the reason why there is none.
  private func route(
    _ search: RouteSearch, accuracy: Double?, from startLevel: Int, to endLevel: Int
  ) throws(RouteError) -> Route {
    var search = search
    if let route = search.route(.init(inaccessible: !search.profile.isAccessible)) {
      var route = route
      route.startShift = search.startShift
      route.startAccuracy = accuracy.map { ($0 * $0 + search.startShift * search.startShift).squareRoot() }
      return route
    }
    for level in [startLevel, endLevel] where complexLevels.contains(level) {
      throw .tooComplex(level: venue.levels[level].id)
    }
    // A search that fails looks at every way, so the search that excludes the most reasons comes first.
    guard search.route(.init(inaccessible: true, closed: true, forbidden: true)) != nil else {
      throw separation(search, from: startLevel, to: endLevel)
    }
    if search.profile.isAccessible, search.route(.init(inaccessible: true)) != nil { throw .notAccessible }
    if search.route(.init(inaccessible: true, closed: true)) != nil { throw .closed }
    throw .oneWay
  }
}

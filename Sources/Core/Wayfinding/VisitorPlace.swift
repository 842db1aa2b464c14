public import Geodesy
public import Venues

extension Venue {
  /// The distance in metres from the known parts of a venue that still belongs to it.
  private static let surroundings = 5.0

  /// Returns whether a point is in the venue or next to it.
  ///
  /// - Parameters:
  ///   - level: the id of the level; nil for any.
  ///   - margin: further metres, such as for an inaccurate position.
  func isAround(_ point: PlanPoint, level: String? = nil, margin: Double = 0) -> Bool {
    levels.contains { storey in
      guard level == nil || storey.id == level else { return false }
      let distance = Self.surroundings + margin
      if let metres = storey.distanceFromWalkable(point) { return metres <= distance }
      let stops = nodes.filter { $0.level == storey.id }.map(\.position)
      guard let bounds = PlanBounds(of: (bounds(ofLevel: storey.id)?.corners ?? []) + stops) else { return false }
      return point.x >= bounds.least.x - distance && point.x <= bounds.most.x + distance && point.y >= bounds.least.y - distance
        && point.y <= bounds.most.y + distance
    }
  }
}

/// The place of a visitor at the precision of a location.
public enum VisitorPlace: Hashable, Sendable {
  case inside(VenuePoint)
  /// A place in the venue or next to it, on a level that the location does not state.
  case unknownLevel
  case outside
}

extension Venue {
  /// Returns the place of a location.
  ///
  /// - Parameters:
  ///   - floor: the ordinal of the level; nil if it is unknown.
  ///   - accuracy: one sigma in metres.
  public func visitorPlace(at coordinate: Coordinate, floor: Int?, accuracy: Double) -> VisitorPlace {
    guard let point = frame?.point(for: coordinate), point.isFinite, isAround(point, margin: min(accuracy, Self.mostMargin)) else {
      return .outside
    }
    let storeys = floor.map { floor in levels.indices.filter { levels[$0].ordinal == floor } } ?? (levels.count == 1 ? [0] : [])
    guard let first = storeys.first else { return .unknownLevel }
    func distance(_ level: Int) -> Double { levels[level].distanceFromWalkable(point) ?? 0 }
    // Two buildings of one venue may each have a ground floor.
    return .inside(VenuePoint(point, level: storeys.dropFirst().reduce(first) { distance($1) < distance($0) ? $1 : $0 }))
  }

  private static let mostMargin = 30.0
}

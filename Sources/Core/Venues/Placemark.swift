public import Geodesy

/// The names of a location in one language: its place, level and venue.
public struct Placemark: Hashable, Sendable {
  /// All names in one line, such as `Room 5, Ground floor, Gallery`.
  public var description: String
  /// The name of the place; nil if the location is not certain enough, or at none.
  public var place: String?
  public var placeID: String?
  /// The id of the level.
  public var level: String?
  public var levelName: String?
  /// The id of the venue; nil outside the venues.
  public var venue: String?
  public var venueName: String?

  public init(
    description: String, place: String? = nil, placeID: String? = nil, level: String? = nil, levelName: String? = nil, venue: String? = nil,
    venueName: String? = nil
  ) {
    (self.description, self.place, self.placeID) = (description, place, placeID)
    (self.level, self.levelName, self.venue, self.venueName) = (level, levelName, venue, venueName)
  }
}

/// A place outside the venues, which the owner of the device names.
public struct NamedCircle: Hashable, Sendable {
  public let name: LocalizedText
  public let circle: Circle

  public init(name: LocalizedText, circle: Circle) {
    (self.name, self.circle) = (name, circle)
  }
}

extension Catalogue {
  /// Returns the names of a location: those in a venue, or that of the smallest own place around it; nil if it has none.
  ///
  /// A place is named if the location lies in it and is at least as accurate as half of its width, or as 3 m.
  ///
  /// - Parameters:
  ///   - floor: the ordinal of the level; nil names the venue alone.
  ///   - accuracy: one sigma in metres; nil if it is unknown, which names nothing.
  ///   - hidesOwnPlaces: whether to use only the places of venues.
  public func placemark(
    at coordinate: Coordinate, floor: Int?, accuracy: Double?, preferring languages: [String], hidesOwnPlaces: Bool = false
  ) -> Placemark? {
    guard let accuracy else { return nil }
    for venue in venues {
      guard let point = venue.frame?.point(for: coordinate), venue.covers(point, accuracy: accuracy) else { continue }
      return venue.placemark(at: point, floor: floor, accuracy: accuracy, preferring: languages)
    }
    guard !hidesOwnPlaces else { return nil }
    let around = circles.filter { accuracy <= $0.circle.radius && $0.circle.contains(coordinate) }
    guard let name = around.min(by: { $0.circle.radius < $1.circle.radius })?.name.text(preferring: languages) else { return nil }
    return Placemark(description: name, place: name)
  }
}

extension Venue {
  /// The worst accuracy in metres, one sigma, that distinguishes a building from its neighbours.
  private static let buildingAccuracy = 30.0

  /// Returns whether a point belongs to the venue, and is accurate enough to tell.
  ///
  /// A venue without beacons is entered by its outline, so that decides about its name as well.
  fileprivate func covers(_ point: PlanPoint, accuracy: Double) -> Bool {
    if beacons.isEmpty, let outline = VenueOutline(self) {
      return accuracy <= max(Self.buildingAccuracy, outline.wantedAccuracy) && outline.contains(point)
    }
    return accuracy <= Self.buildingAccuracy && isNear(point, within: VenueOutline.surroundings)
  }

  /// Returns whether a point is in the venue, or at most `distance` in metres beside what is known of it.
  private func isNear(_ point: PlanPoint, within distance: Double) -> Bool {
    levels.contains { level in
      if !level.walkable.isEmpty { return level.walkable.contains { $0.isNear(point, within: distance) } }
      return bounds(ofLevel: level.id)?.isNear(point, within: distance) ?? false
    }
  }

  fileprivate func placemark(at point: PlanPoint, floor: Int?, accuracy: Double, preferring languages: [String]) -> Placemark {
    let venueName = name(preferring: languages)
    let storeys = levels.filter { $0.ordinal == floor }
    // Two buildings of one venue may each have a ground floor.
    guard let level = storeys.first(where: { $0.isWalkable(point) ?? false }) ?? storeys.first else {
      return Placemark(description: venueName, venue: id, venueName: venueName)
    }
    let levelName = level.name.text(preferring: languages) ?? level.shortName.text(preferring: languages)
    let place = place(at: point, level: level.id, accuracy: accuracy)
    let placeName = place?.name(preferring: languages)
    return Placemark(
      description: [placeName, levelName, venueName].compactMap(\.self).joined(separator: ", "), place: placeName, placeID: place?.id,
      level: level.id, levelName: levelName, venue: id, venueName: venueName)
  }

  /// Returns the place of a point: the nearest point of interest within its radius, or the smallest area.
  private func place(at point: PlanPoint, level: String, accuracy: Double) -> Place? {
    var nearest: (place: Place, distance: Double)?
    var smallest: (place: Place, size: Double)?
    for place in places where place.level == level && accuracy <= max(Place.usualRadius, place.halfWidth) {
      if let area = place.area {
        guard area.contains(point), case let size = area.area, size < smallest?.size ?? .infinity else { continue }
        smallest = (place, size)
      } else {
        let distance = place.position.distance(to: point)
        guard distance <= place.radius ?? Place.usualRadius, distance < nearest?.distance ?? .infinity else { continue }
        nearest = (place, distance)
      }
    }
    return nearest?.place ?? smallest?.place
  }
}

extension Place {
  /// Half of the shorter side of its area, or its radius, in metres.
  fileprivate var halfWidth: Double {
    area.map { min($0.bounds.width, $0.bounds.height) / 2 } ?? radius ?? Self.usualRadius
  }
}

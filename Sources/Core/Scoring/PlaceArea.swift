import Regions
import Venues

/// The true area of a place region: a place of a venue, or a whole level.
public struct PlaceArea: Hashable, Sendable {
  /// The ordinal of its level.
  private let level: Int
  /// The place; `nil` for the whole level.
  private let place: Place?

  /// Creates the area; `nil` if the venue does not have it, and for a whole venue, which has no edge on the plan.
  public init?(_ area: VenueArea, in venue: Venue) {
    guard area.venue == nil || area.venue == venue.id else { return nil }
    switch area.part {
    case .whole: return nil
    case .level(let id):
      guard let level = venue.level(id) else { return nil }
      (self.level, place) = (level.ordinal, nil)
    case .place(let id):
      guard let place = venue.places.first(where: { $0.id == id }), let level = venue.level(place.level) else { return nil }
      (self.level, self.place) = (level.ordinal, place)
    }
  }

  /// Returns the distance in metres on the plan: zero inside, infinite on another level.
  ///
  /// - Parameter level: the ordinal of the point's level; `nil` if it is unknown, which counts as the area's level.
  public func distance(from point: PlanPoint, level: Int?) -> Double {
    if let level, level != self.level { return .infinity }
    guard let place else { return 0 }
    guard place.area == nil else { return place.distance(from: point) }
    return max(0, place.position.distance(to: point) - (place.radius ?? Place.usualRadius))
  }
}

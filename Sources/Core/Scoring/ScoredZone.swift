import Instants
import Regions
import Venues

/// A region whose events are compared with the true distances to its beacons, or to its area.
public struct ScoredZone: Sendable {
  public let identifier: String
  /// The indices of its beacons among the positions; empty for a place.
  public let beacons: [Int]
  /// The area of a place; `nil` for beacons.
  public let area: PlaceArea?
  public let within: Double
  public let leaveBeyond: Double

  /// Creates the zone of a region; `nil` if the region has no `within` or none of the positions.
  public init?(_ region: BeaconRegion, _ positions: BeaconPositions) {
    guard let nearness = region.nearness else { return nil }
    let beacons = positions.entries.indices.filter { positions.entries[$0].mayMatch(region.constraint) }
    guard !beacons.isEmpty else { return nil }
    self.init(identifier: region.identifier, beacons: beacons, within: nearness.within, leaveBeyond: nearness.leaveBeyond)
  }

  /// - Parameters:
  ///   - beacons: the indices of its beacons among the positions, at least one.
  ///   - within: the true distance in metres below which the receiver enters.
  ///   - leaveBeyond: the true distance in metres beyond which it leaves.
  public init(identifier: String, beacons: [Int], within: Double, leaveBeyond: Double) {
    (self.identifier, self.beacons, area) = (identifier, beacons, nil)
    (self.within, self.leaveBeyond) = (within, leaveBeyond)
  }

  /// The distance in metres from the area of a place at which the receiver has truly left it.
  /// A receiver that walks along the edge therefore does not leave repeatedly.
  public static let placeMargin = 1.0

  /// Creates the zone of a place region; `nil` if the venue does not have the place.
  public init?(_ region: PlaceRegion, in venue: Venue) {
    guard let area = PlaceArea(region.area, in: venue) else { return nil }
    (identifier, beacons, self.area) = (region.identifier, [], area)
    // A point inside has the distance zero.
    (within, leaveBeyond) = (.leastNonzeroMagnitude, Self.placeMargin)
  }
}

/// An enter or an exit.
public struct ZoneCrossing: Hashable, Sendable {
  public let isEnter: Bool
  public let time: Instant

  public init(isEnter: Bool, at time: Instant) {
    (self.isEnter, self.time) = (isEnter, time)
  }
}

extension ScoredZone {
  /// Returns the true distance to the nearest of its beacons, or to its area, at each true position.
  public func distances(_ truth: WalkTruth, _ positions: BeaconPositions) -> [Double] {
    if let area {
      return truth.positions.indices.map { index in
        let place = truth.positions[index]
        return area.distance(from: PlanPoint(x: place.x, y: place.y), level: truth.nearestLevel(index))
      }
    }
    return truth.positions.map { place in beacons.map { positions.entries[$0].position.distance(to: place) }.min() ?? .infinity }
  }

  /// Returns the crossings of a receiver at these true distances, which begins outside.
  public func crossings(_ truth: WalkTruth, _ distances: [Double]) -> [ZoneCrossing] {
    var isInside = false
    var crossings: [ZoneCrossing] = []
    for (time, distance) in zip(truth.times, distances) where isInside ? distance > leaveBeyond : distance < within {
      isInside.toggle()
      crossings.append(ZoneCrossing(isEnter: isInside, at: time))
    }
    return crossings
  }
}

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

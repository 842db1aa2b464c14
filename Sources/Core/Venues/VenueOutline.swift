public import Geodesy
import RealModule

/// The area on the earth that a venue covers, for a device of which only a location is known.
///
/// It is the circle of the venue if its file has a `radius`, or else its outline and 5 m around it.
public struct VenueOutline: Sendable {
  /// Metres beside the known areas of a venue that still belong to it.
  static let surroundings = 5.0
  /// The rings of points that stand for the distribution of a location, and the points of each ring.
  private static let (rings, spokes) = (8, 16)

  private let frame: VenueFrame
  /// The circle around everything that is covered.
  private let circle: Circle
  private let bounds: PlanBounds
  /// The radius in metres that the file states.
  private let radius: Double?
  private let walkable: [PlanPolygon]
  /// The extents of the levels without walkable areas.
  private let extents: [PlanBounds]

  /// Returns nil for a venue whose location on the earth is unknown.
  public init?(_ venue: Venue) {
    guard let frame = venue.frame, let bounds = venue.bounds, let circle = venue.circle(margin: Self.surroundings) else { return nil }
    (self.frame, self.bounds, self.circle, radius) = (frame, bounds, circle, venue.radius)
    walkable = venue.levels.flatMap(\.walkable)
    extents = venue.levels.filter(\.walkable.isEmpty).compactMap { venue.bounds(ofLevel: $0.id) }
  }

  /// Returns the probability that the device is inside, from 0 to 1.
  ///
  /// Points that are equally probable stand for the location, so the result depends on the inputs alone.
  ///
  /// - Parameter accuracy: one sigma in metres, along each axis.
  public func probability(at coordinate: Coordinate, accuracy: Double) -> Double {
    // Three sigmas beyond the circle leave 1 %. The plane of the plan is not meaningful far away.
    guard circle.center.distance(to: coordinate) - 3 * accuracy <= circle.radius else { return 0 }
    let middle = frame.point(for: coordinate)
    var count = 0
    for ring in 0..<Self.rings {
      let distance = accuracy * (-2 * Double.log(1 - (Double(ring) + 0.5) / Double(Self.rings))).squareRoot()
      for spoke in 0..<Self.spokes {
        let angle = 2 * Double.pi * (Double(spoke) + Double(ring % 2) / 2) / Double(Self.spokes)
        if contains(PlanPoint(x: middle.x + distance * Double.cos(angle), y: middle.y + distance * Double.sin(angle))) { count += 1 }
      }
    }
    return Double(count) / Double(Self.rings * Self.spokes)
  }

  /// The accuracy in metres, one sigma, that decides whether the device is inside.
  public var wantedAccuracy: Double { (radius ?? min(bounds.width, bounds.height) / 2 + Self.surroundings) / 2 }

  /// Returns whether a point of the plan is inside.
  func contains(_ point: PlanPoint) -> Bool {
    if let radius { return bounds.center.distance(to: point) <= radius }
    return walkable.contains { $0.isNear(point, within: Self.surroundings) }
      || extents.contains { $0.isNear(point, within: Self.surroundings) }
  }
}

extension PlanBounds {
  /// Returns whether a point is inside, or at most `distance` in metres outside of each edge.
  func isNear(_ point: PlanPoint, within distance: Double) -> Bool {
    point.x >= least.x - distance && point.x <= most.x + distance && point.y >= least.y - distance && point.y <= most.y + distance
  }
}

import RealModule
import Venues

/// The ways and the floor around a visitor, which make some walks away from a route more probable than others.
struct NearbyWays: Sendable {
  private let floor: LevelFloor
  /// The ways on a level that states them without its floor; empty elsewhere.
  private let ways: [PlanSegment]
  /// Whether the level states its floor or ways, without which any walk is as probable as another.
  private let isKnown: Bool

  /// The metres from the visitor within which a walk away from the route may be, and those from a way to a walk along it.
  private static let (reach, beside) = (20.0, 3.0)
  /// The deviation in degrees of a compass from the direction of a way: errors of the compass indoors, and of the drawn ways.
  private static let deviation = 20.0
  /// The minimum logarithm of the evidence, for a walk where no way leads.
  private static let least = -4.0

  init(_ network: WayNetwork, around place: VenuePoint) {
    floor = network.floors[place.level]
    let all = network.directions[place.level]
    ways = all.filter { $0.distance(to: place.point) <= Self.reach }
    isKnown = !floor.isUnknown || !all.isEmpty
  }

  /// Returns the degrees from the direction of a way to that of a walk at its point, −45 to 90; nil where no way is near.
  ///
  /// The mean is small for a walk along ways, because its errors cancel out, and large for a walk across them to either side.
  ///
  /// On a known floor, and on a level without known ways, a walk may have any direction: the result is 0.
  func deviation(of heading: Double, at point: PlanPoint) -> Double? {
    guard isKnown else { return 0 }
    guard floor.isUnknown else { return floor.isWalkable(point) ? 0 : nil }
    return ways.filter { $0.distance(to: point) <= Self.beside }.map { way in
      let apart = turn(from: way.from.direction(to: way.to), to: heading)
      return abs(apart) <= 90 ? apart : turn(from: 180, to: apart)
    }.min { abs($0) < abs($1) }.map { abs($0) > 45 ? abs($0) : $0 }
  }

  /// Returns the logarithm of the likelihood ratio of a mean deviation and of a visitor who looks anywhere.
  func evidence(of deviation: Double) -> Double {
    guard isKnown else { return 0 }
    // The part of the walk that is beside the floor.
    guard floor.isUnknown else { return Self.least * min(1, abs(deviation) / 90) }
    let sigmas = deviation / Self.deviation
    // Walks along a way have two directions.
    return max(Self.least, Double.log(180 / (Self.deviation * (2 * Double.pi).squareRoot())) - sigmas * sigmas / 2)
  }
}

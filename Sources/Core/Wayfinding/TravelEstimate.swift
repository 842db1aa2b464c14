public import Geodesy
public import Instants
import Venues

/// The way from a location on the earth to a place in a venue, and the time that it takes.
///
/// In the venue it is a route. From outside it is the straight line to the nearest entrance, with the detour that streets need, and the
/// route from there.
public struct TravelEstimate: Hashable, Sendable {
  /// Rounded up to whole seconds.
  public var time: Span
  /// Metres on foot.
  public var length: Double
  /// Whether the visitor is at the place.
  public var hasArrived: Bool

  /// The length of ways on foot in proportion to the straight line, a usual value for streets.
  static let detour = 1.4
  /// The straight line in metres beyond which a visitor is not expected to walk.
  public static let farthestWalk = 10_000.0
  /// The accuracy in metres, one sigma, that is needed to arrive at a smaller place.
  static let arrivalAccuracy = 10.0
  /// The maximum number of entrances that are compared.
  fileprivate static let mostEntrances = 8
}

/// The reason why the time of a way is unknown.
public enum TravelFailure: Error, Hashable, Sendable {
  /// The venue has no location on the earth.
  case noFrame
  case noPlace
  /// The straight line in metres is too long for a walk.
  case tooFar(metres: Double)
  case inaccurate(metres: Double)
  case noRoute(RouteError)
}

extension TravelFailure: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noFrame: "the venue has no [frame], so the way to it is unknown"
    case .noPlace: "the venue has no such place"
    case .tooFar(let metres): "\(Int((metres / 1000).rounded())) km away, which is too far to walk"
    case .inaccurate(let metres): "the position is too inaccurate: \(Int(metres.rounded())) m"
    case .noRoute(let error): error.description
    }
  }
}

extension WayNetwork {
  /// Returns the way from a location to a place.
  ///
  /// - Parameters:
  ///   - coordinate: the location of the visitor.
  ///   - floor: the ordinal of the level; nil if it is unknown, which counts as the only level, or as the ground floor.
  ///   - accuracy: one sigma in metres.
  ///   - id: the place.
  ///   - profile: the needs of the visitor.
  public func travel(
    from coordinate: Coordinate, floor: Int?, accuracy: Double, toPlace id: String, profile: RouteProfile
  ) throws(TravelFailure) -> TravelEstimate {
    guard let frame = venue.frame else { throw .noFrame }
    guard let place = venue.places.first(where: { $0.id == id }), let destination = destination(id),
      let target = frame.coordinate(for: place.position)
    else { throw .noPlace }
    let straight = coordinate.distance(to: target)
    guard straight <= TravelEstimate.farthestWalk else { throw .tooFar(metres: straight) }
    guard accuracy <= max(100, straight / 2) else { throw .inaccurate(metres: accuracy) }
    let point = frame.point(for: coordinate)
    guard let level = storey(floor, at: point) else {
      return try outside(point, coordinate, to: destination, profile: profile)
    }
    if hasArrived(point, level: level, accuracy: accuracy, at: place, destination) {
      return TravelEstimate(time: .zero, length: 0, hasArrived: true)
    }
    do throws(RouteError) {
      let route = try route(from: VenuePoint(point, level: level), accuracy: accuracy, to: destination, profile: profile)
      return TravelEstimate(seconds: route.time.seconds, length: route.length)
    } catch {
      guard case .startOutside = error else { throw .noRoute(error) }
      return try outside(point, coordinate, to: destination, profile: profile)
    }
  }

  /// Returns the index of the level at a point; nil for a point outside of the venue.
  private func storey(_ floor: Int?, at point: PlanPoint) -> Int? {
    let candidates = venue.levels.indices.filter { venue.levels.count == 1 || venue.levels[$0].ordinal == floor ?? 0 }
    return candidates.first { venue.levels[$0].isWalkable(point) ?? false }
      ?? candidates.first { isNear(point, level: $0) }
  }

  /// Returns whether a point is near the known parts of a level.
  private func isNear(_ point: PlanPoint, level: Int) -> Bool {
    if let distance = venue.levels[level].distanceFromWalkable(point) { return distance <= Self.mostReach }
    let id = venue.levels[level].id
    // The nodes of its ways may be the only known part of a level.
    let corners = (venue.bounds(ofLevel: id)?.corners ?? []) + venue.nodes.filter { $0.level == id }.map(\.position)
    guard let bounds = PlanBounds(of: corners) else { return false }
    let (dx, dy) = (
      max(bounds.least.x - point.x, point.x - bounds.most.x, 0), max(bounds.least.y - point.y, point.y - bounds.most.y, 0)
    )
    return dx * dx + dy * dy <= Self.mostReach * Self.mostReach
  }

  private func hasArrived(
    _ point: PlanPoint, level: Int, accuracy: Double, at place: Place, _ destination: Route.Destination
  ) -> Bool {
    guard level == destination.place.level, accuracy <= max(destination.radius, TravelEstimate.arrivalAccuracy) else { return false }
    // A position beside the wall of a room may be one in the room.
    let reach = place.area == nil ? max(destination.radius, accuracy) : (place.radius ?? 0) + min(accuracy, TravelEstimate.arrivalAccuracy)
    return place.distance(from: point) <= reach
  }

  /// Returns the way of a visitor outside of the venue: to the entrance from which it is shortest, or straight to the place.
  private func outside(
    _ point: PlanPoint, _ coordinate: Coordinate, to destination: Route.Destination, profile: RouteProfile
  ) throws(TravelFailure) -> TravelEstimate {
    var best: TravelEstimate?
    var failure: RouteError?
    let entrances = venue.places.filter { $0.kind == .entrance }
      .sorted { ($0.position.distance(to: point), $0.id) < ($1.position.distance(to: point), $1.id) }.prefix(TravelEstimate.mostEntrances)
    for entrance in entrances {
      guard let level = level(entrance.level) else { continue }
      do throws(RouteError) {
        let route = try route(
          from: VenuePoint(entrance.position, level: level), startPlace: entrance.id, to: destination, profile: profile)
        let metres = entrance.position.distance(to: point) * TravelEstimate.detour
        let estimate = TravelEstimate(seconds: metres / profile.speed + route.time.seconds, length: metres + route.length)
        if best.map({ estimate.time < $0.time }) ?? true { best = estimate }
      } catch {
        failure = error
      }
    }
    if let best { return best }
    if let failure { throw .noRoute(failure) }
    let metres = destination.place.point.distance(to: point) * TravelEstimate.detour
    return TravelEstimate(seconds: metres / profile.speed, length: metres)
  }
}

extension TravelEstimate {
  fileprivate init(seconds: Double, length: Double) {
    self.init(time: .seconds(seconds.rounded(.up)), length: length, hasArrived: false)
  }
}

/// The walking speed of a visitor, as fixes report it or guidance measures it.
public struct WalkingPace: Hashable, Sendable {
  /// Metres a second.
  public private(set) var speed: Double

  /// The speeds in m/s of walking visitors; others are standing, or in a vehicle.
  private static let walking = 0.5...2.2
  /// The minimum weight of a new measurement, and the weight of the assumed speed in measurements.
  ///
  /// Walkers differ by a fifth, and a measurement errs by less than a tenth.
  private static let (weight, assumed) = (0.1, 0.2)
  private var count = 0.0

  public init(speed: Double) {
    self.speed = speed
  }

  /// Takes a speed in m/s over ground.
  ///
  /// - Parameter accuracy: one sigma in m/s; nil if it is unknown.
  public mutating func take(_ measured: Double, accuracy: Double?) {
    guard Self.walking.contains(measured), accuracy ?? 0 <= measured / 3 else { return }
    count += 1
    speed += max(Self.weight, 1 / (count + Self.assumed)) * (measured - speed)
  }
}

public import Geodesy

extension Venue {
  /// The distance in metres around the outline within which the device may be at the venue.
  ///
  /// Plans leave out outer walls and forecourts, and beacons are heard through doors.
  public static let circleMargin = 50.0

  /// The circle on the earth outside of which the device is not at the venue; nil if the location of the venue is unknown.
  ///
  /// Its center is the middle of the plan. `radius` takes precedence over the radius of the outline and its margin.
  public var circle: Circle? { circle(margin: Self.circleMargin) }

  /// Returns the circle with `radius`, or that of the outline and a margin in metres.
  func circle(margin: Double) -> Circle? {
    guard let frame, let bounds, let center = frame.coordinate(for: bounds.center) else { return nil }
    return Circle(center: center, radius: radius ?? bounds.center.distance(to: bounds.most) + margin)
  }

  /// The extent of all levels; nil if nothing of them is known.
  var bounds: PlanBounds? { PlanBounds(of: levels.flatMap { bounds(ofLevel: $0.id)?.corners ?? [] }) }
}

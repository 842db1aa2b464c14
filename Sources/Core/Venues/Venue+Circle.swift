public import Geodesy

extension Venue {
  /// The distance in metres around the outline within which the device may be at the venue.
  ///
  /// Plans leave out outer walls and forecourts, and beacons are heard through doors.
  public static let circleMargin = 50.0

  /// The circle on the earth outside of which the device is not at the venue; nil if the location of the venue is unknown.
  ///
  /// Its center is the middle of the plan. `radius` takes precedence over the radius of the outline and its margin.
  public var circle: Circle? {
    guard let frame, let bounds = PlanBounds(of: levels.flatMap { bounds(ofLevel: $0.id)?.corners ?? [] }),
      let center = frame.coordinate(for: bounds.center)
    else { return nil }
    return Circle(center: center, radius: radius ?? bounds.center.distance(to: bounds.most) + Self.circleMargin)
  }
}

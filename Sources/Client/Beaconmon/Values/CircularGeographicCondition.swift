/// A circle on the earth as a `Monitor` watches it, by the rule of a `CircularRegion`. Core Location's CLCircularGeographicCondition.
public struct CircularGeographicCondition: Condition {
  public let center: LocationCoordinate2D
  /// Metres.
  public let radius: Double

  public init(center: LocationCoordinate2D, radius: Double) {
    self.center = center
    self.radius = radius
  }
}

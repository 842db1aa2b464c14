/// A circle on the earth that a `Monitor` watches, by the rules of `CircularRegion`.
///
/// Core Location's CLCircularGeographicCondition.
public struct CircularGeographicCondition: Condition {
  public let center: LocationCoordinate2D
  /// The radius in metres.
  public let radius: Double

  public init(center: LocationCoordinate2D, radius: Double) {
    self.center = center
    self.radius = radius
  }
}

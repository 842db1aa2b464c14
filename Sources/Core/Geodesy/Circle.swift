/// A circle on the earth: every place within its radius of its center.
public struct Circle: Hashable, Sendable {
  public let center: Coordinate
  /// The radius in metres.
  public let radius: Double

  public static let mostRadius = 20_000_000.0

  /// Returns nil unless the radius lies between zero and 20 000 km, half way around the earth.
  public init?(center: Coordinate, radius: Double) {
    guard radius > 0, radius <= Self.mostRadius else { return nil }
    self.center = center
    self.radius = radius
  }

  /// Returns whether both circles are the same to a millimetre, the precision of a few decimals.
  public func isAlike(_ other: Circle) -> Bool {
    abs(center.latitude - other.center.latitude) < 1e-8 && abs(center.longitude - other.center.longitude) < 1e-8
      && abs(radius - other.radius) < 1e-3
  }

  /// Returns whether `place` lies in the circle, exact to 15 nm.
  public func contains(_ place: Coordinate) -> Bool {
    Geodesic(from: center, to: place).distance <= radius
  }
}

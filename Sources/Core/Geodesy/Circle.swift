/// A circle on the earth: every place whose distance from its center is at most its radius.
public struct Circle: Hashable, Sendable {
  public let center: Coordinate
  /// Metres.
  public let radius: Double

  public static let mostRadius = 20_000_000.0

  /// Nil unless the radius lies between zero and 20 000 km, half way around the earth.
  public init?(center: Coordinate, radius: Double) {
    guard radius > 0, radius <= Self.mostRadius else { return nil }
    self.center = center
    self.radius = radius
  }

  /// Whether both are the same to a millimetre, which is what a few decimals keep of them.
  public func isAlike(_ other: Circle) -> Bool {
    abs(center.latitude - other.center.latitude) < 1e-8 && abs(center.longitude - other.center.longitude) < 1e-8
      && abs(radius - other.radius) < 1e-3
  }

  /// Whether `place` lies in it, to 15 nm.
  public func contains(_ place: Coordinate) -> Bool {
    Geodesic(from: center, to: place).distance <= radius
  }
}

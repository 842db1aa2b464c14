/// A straight wall that attenuates signals that cross it.
public struct Wall: Hashable, Sendable {
  public let from: Point
  public let to: Point
  /// The attenuation in dB for every crossing.
  /// At 2.4 GHz plasterboard has about 4, brick about 8, concrete 10 to 20 (Rappaport, table 4.3).
  public let attenuation: Double

  public init(from: Point, to: Point, attenuation: Double) {
    self.from = from
    self.to = to
    self.attenuation = attenuation
  }

  /// Returns whether the straight line between two places crosses or touches the wall.
  func stands(between a: Point, and b: Point) -> Bool {
    let (sideOfFrom, sideOfTo) = (Self.side(of: from, a, b), Self.side(of: to, a, b))
    let (sideOfA, sideOfB) = (Self.side(of: a, from, to), Self.side(of: b, from, to))
    return sideOfFrom * sideOfTo <= 0 && sideOfA * sideOfB <= 0 && !(sideOfA == 0 && sideOfB == 0)
  }

  /// Returns a positive value on the left of the line from `a` to `b`, and a negative one on its right.
  private static func side(of point: Point, _ a: Point, _ b: Point) -> Double {
    (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
  }
}

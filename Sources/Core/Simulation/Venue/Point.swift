/// A place on the floor of a venue, in metres from a corner that the scenario chooses.
public struct Point: Hashable, Sendable {
  public var x: Double
  public var y: Double

  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  func distance(to other: Point) -> Double {
    let (dx, dy) = (other.x - x, other.y - y)
    return (dx * dx + dy * dy).squareRoot()
  }

  /// Returns the place at `share` of the way from here to `other`.
  func towards(_ other: Point, _ share: Double) -> Point {
    Point(x: x + (other.x - x) * share, y: y + (other.y - y) * share)
  }
}

/// The position of a beacon or a receiver, fixed or carried.
public enum VenuePosition: Hashable, Sendable {
  case fixed(Point)
  /// The index of the visitor who carries it: a shop's visitors carry beacons, a gallery's guide carries the receiver.
  case carried(by: Int)
}

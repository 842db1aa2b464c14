import Geodesy
import Instants

/// The straight line from one fix to the next, if the device most likely moved along it.
struct Passage {
  private let start: Coordinate
  private let end: Coordinate
  private let accuracy: Double
  private let length: Double
  private let spacing: Double

  /// The longest time between two fixes; after more, the path between them is unknown.
  private static let longestTime = Span.seconds(60)
  private static let longestWay = 10_000.0
  private static let leastAccuracy = 0.5

  /// Creates a passage; `nil` if it crosses no circle or the path is unknown.
  ///
  /// - Parameter smallest: the smallest radius of a circle, in metres.
  init?(from before: Fix, to fix: Fix, smallest: Double) {
    guard !before.isLasting, !fix.isLasting, fix.time - before.time <= Self.longestTime else { return nil }
    // No source knows its error to less than `leastAccuracy`, so grazing a circle by less does not cross it.
    accuracy = max(before.accuracy, fix.accuracy, Self.leastAccuracy)
    // The chord through the smallest circle that is not too small for the accuracy, as near to its edge as counts. Half the chord is a leg
    // of a right triangle with the radius as hypotenuse.
    let radius = max(smallest, accuracy)
    let depth = min(accuracy, radius / 2)
    let chord = 2 * (depth * (2 * radius - depth)).squareRoot()
    let length = before.place.distance(to: fix.place)
    guard length > chord, length <= Self.longestWay else { return nil }
    (start, end) = (before.place, fix.place)
    self.length = length
    spacing = 0.99 * chord
  }

  /// Places between the two fixes, so close together that at least one lies in every crossed circle.
  var samples: [Coordinate] {
    let pieces = (length / spacing).rounded(.up)
    let azimuth = Geodesic(from: start, to: end).initialAzimuth
    return (1..<max(2, Int(pieces))).map { start.destination(azimuth: azimuth, distance: length * Double($0) / pieces).coordinate }
  }

  /// Whether both fixes lie outside and the line between them leads through the circle by more than the accuracy.
  func crosses(_ circle: Circle) -> Bool {
    guard accuracy <= circle.radius else { return false }
    let (a, b) = (Self.offset(of: start, from: circle.center), Self.offset(of: end, from: circle.center))
    let square = circle.radius * circle.radius
    guard a.east * a.east + a.north * a.north > square, b.east * b.east + b.north * b.north > square else { return false }
    let way = (east: b.east - a.east, north: b.north - a.north)
    // The position along the line of the perpendicular foot from the center, 0…1.
    let foot = -(a.east * way.east + a.north * way.north) / (way.east * way.east + way.north * way.north)
    guard foot > 0, foot < 1 else { return false }
    let nearest = (east: a.east + foot * way.east, north: a.north + foot * way.north)
    let distance = (nearest.east * nearest.east + nearest.north * nearest.north).squareRoot()
    return distance + min(accuracy, circle.radius / 2) < circle.radius
  }

  /// Returns the offset in metres on a plane that touches the earth at `center`.
  private static func offset(of place: Coordinate, from center: Coordinate) -> (east: Double, north: Double) {
    abs(center.latitude) <= LocalPlane.mostLatitude ? LocalPlane(at: center).offset(to: place) : Geodesic(from: center, to: place).offset
  }
}

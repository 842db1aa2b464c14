import Geodesy
import Instants
import Locations
import RealModule

/// The fixes of the last minutes, or hours of a source that tells rarely, and the means of the latest of them: noise moves one fix, and hardly the mean of many.
public struct RecentFixes: Sendable {
  static let capacity = 64
  private static let oldest = Span.seconds(300)
  /// Of sources that tell every few minutes.
  private static let oldestNews = Span.seconds(7200)

  /// The latest first.
  private var fixes: [Location] = []

  public init() {}

  /// Of any source; the latest accuracy stands for all.
  mutating func append(_ fix: Location, at now: Instant) {
    let oldest = fix.isSteady ? Self.oldest : Self.oldestNews
    fixes.removeAll { now - $0.received > oldest }
    if fixes.count == Self.capacity { fixes.removeLast() }
    fixes.insert(fix, at: 0)
  }

  var count: Int { fixes.count }

  /// The middle of the latest `count` fixes, in a projection around the latest one that keeps distances from it.
  func mean(of count: Int) -> Coordinate? {
    guard let origin = fixes.first?.coordinate, count > 0 else { return nil }
    if count == 1 { return origin }
    var (east, north) = (0.0, 0.0)
    let latest = fixes.prefix(count)
    for fix in latest.dropFirst() {
      let offset = origin.offset(to: fix.coordinate)
      east += offset.east
      north += offset.north
    }
    east /= Double(latest.count)
    north /= Double(latest.count)
    let azimuth = Double.atan2(y: east, x: north) * 180 / .pi
    return origin.destination(azimuth: azimuth, distance: .hypot(east, north)).coordinate
  }
}

extension Coordinate {
  /// Metres, exact in length and direction from here.
  fileprivate func offset(to place: Coordinate) -> (east: Double, north: Double) {
    if abs(latitude) <= LocalPlane.mostLatitude {
      let offset = LocalPlane(at: self).offset(to: place)
      if Double.hypot(offset.east, offset.north) <= LocalPlane.mostDistance { return offset }
    }
    let line = Geodesic(from: self, to: place)
    let azimuth = line.initialAzimuth * .pi / 180
    return (line.distance * .sin(azimuth), line.distance * .cos(azimuth))
  }
}

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

  /// Of any source.
  mutating func append(_ fix: Location, at now: Instant) {
    let oldest = fix.isSteady ? Self.oldest : Self.oldestNews
    fixes.removeAll { now - $0.received > oldest }
    if fixes.count == Self.capacity { fixes.removeLast() }
    fixes.insert(fix, at: 0)
  }

  var count: Int { fixes.count }

  /// The mean of the latest `count` fixes, in a projection around the latest one that keeps distances from it. Each counts by the inverse of its variance, so
  /// that coarse ones do not pull it; one without accuracy counts for nothing. Nil when the latest has none.
  func mean(of count: Int) -> (place: Coordinate, sigma: Double)? {
    guard let origin = fixes.first?.coordinate, let sigma = fixes.first?.horizontalAccuracy, count > 0 else { return nil }
    var (east, north, weight) = (0.0, 0.0, 1 / (sigma * sigma))
    for fix in fixes.prefix(count).dropFirst() {
      guard let sigma = fix.horizontalAccuracy else { continue }
      let offset = origin.offset(to: fix.coordinate)
      east += offset.east / (sigma * sigma)
      north += offset.north / (sigma * sigma)
      weight += 1 / (sigma * sigma)
    }
    guard (east, north) != (0, 0) else { return (origin, 1 / weight.squareRoot()) }
    let azimuth = Double.atan2(y: east, x: north) * 180 / .pi
    let place = origin.destination(azimuth: azimuth, distance: .hypot(east, north) / weight).coordinate
    return (place, 1 / weight.squareRoot())
  }
}

// MARK: - Drift

extension RecentFixes {
  /// How many fixes the places at either end are the means of.
  private static let endCount = 8
  /// Seconds after which the errors of positions are others: multipath changes with the sky.
  private static let memory = 300.0
  /// Seconds that a drift has to last.
  private static let leastTime = 16.0
  /// Standard deviations that are no noise.
  private static let sigmas = 4.5

  /// m/s from the first of these fixes to the latest, where that is farther than positions go astray in the time: errors that stay for minutes, and noise besides.
  /// Otherwise zero, as where they come so often that they are all of a few seconds.
  var drift: Double {
    guard fixes.count >= 3 * Self.endCount, let latest = fixes.first, latest.isSteady, let now = mean(of: Self.endCount) else { return 0 }
    let earlier = RecentFixes(fixes: Array(fixes.suffix(Self.endCount)))
    guard let first = earlier.fixes.first, let before = earlier.mean(of: Self.endCount) else { return 0 }
    let time = (latest.received - first.received).seconds
    guard time >= Self.leastTime else { return 0 }
    let share = min(1, 2 * time / Self.memory)
    let sigma = max(latest.horizontalAccuracy ?? 0, first.horizontalAccuracy ?? 0)
    let variance = share * sigma * sigma + now.sigma * now.sigma + before.sigma * before.sigma
    let way = now.place.distance(to: before.place)
    return way > Self.sigmas * variance.squareRoot() ? way / time : 0
  }

  private init(fixes: [Location]) {
    self.fixes = fixes
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

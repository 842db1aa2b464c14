import Geodesy
import Instants
import Locations
import RealModule

/// The fixes of the last minutes, with means over the latest of them.
/// For a source that reports rarely, the list reaches back hours. Noise moves one fix, but hardly the mean of many.
public struct RecentFixes: Sendable {
  static let capacity = 64
  private static let oldest = Span.seconds(300)
  /// The maximum age of fixes from sources that report every few minutes.
  private static let oldestOnChange = Span.seconds(7200)

  /// The fixes, latest first.
  private var fixes: [Location] = []

  public init() {}

  /// Adds a fix of any source.
  mutating func append(_ fix: Location, at now: Instant) {
    let oldest = fix.isSteady ? Self.oldest : Self.oldestOnChange
    fixes.removeAll { now - $0.received > oldest }
    if fixes.count == Self.capacity { fixes.removeLast() }
    fixes.insert(fix, at: 0)
  }

  var count: Int { fixes.count }

  /// Returns the mean of the latest `count` fixes, or nil if the latest one has no accuracy.
  /// The mean is computed in a projection around the latest fix that preserves distances from it. Each fix is weighted by the inverse of
  /// its variance, so that coarse fixes do not pull the mean. Fixes without accuracy have no weight.
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
  /// The number of fixes in the mean at either end.
  private static let endCount = 8
  /// The correlation time of position errors in seconds: multipath changes with the sky.
  private static let memory = 300.0
  /// The minimum duration of a drift in seconds.
  private static let leastTime = 16.0
  /// The number of standard deviations that noise does not exceed.
  private static let sigmas = 4.5

  /// The speed in m/s from the first of these fixes to the latest, or zero if errors can explain the distance.
  /// The errors are those that last for minutes, and noise. The value is also zero if the fixes arrive so often that they span only a few
  /// seconds.
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
  /// Returns the offset in metres, exact in distance and direction from this coordinate.
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

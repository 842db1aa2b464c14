import Instants

/// Decides whether beacons are worth scanning for: not while the device is far from every place that has them.
///
/// The gate closes after a hold and opens at once. It is open without a fix, because a dead receiver must not cost a visit.
struct ScanGate: Sendable {
  private(set) var isClosed = false
  private var closing = Instant.never
  private var opening = Instant.never

  /// Returns the distance in metres from the boundary within which a device is near.
  static func margin(radius: Double) -> Double { max(100, radius / 2) }

  /// The time of the next change without a fix; `.never` while only fixes change something.
  var deadline: Instant { min(closing, opening) }

  /// Applies a fix.
  ///
  /// - Parameter end: when the fix expires.
  mutating func note(isAway: Bool, at time: Instant, until end: Instant) {
    guard isAway else { return open() }
    if !isClosed, closing == .never { closing = time + CircularRegion.hold }
    opening = end
  }

  mutating func open() {
    self = ScanGate()
  }

  mutating func expire(through time: Instant) {
    if opening <= time { return open() }
    if closing <= time { (isClosed, closing) = (true, .never) }
  }
}

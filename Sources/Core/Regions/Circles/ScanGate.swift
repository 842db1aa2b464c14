import Instants

/// Whether beacons are worth scanning for: not while the device is known to be far from every place that has them.
///
/// It closes after a while and opens at once. A dead receiver must not cost a visit, so without a fix it is open.
struct ScanGate: Sendable {
  private(set) var isClosed = false
  private var closing = Instant.never
  private var opening = Instant.never

  /// Metres from the boundary at which a device is near.
  static func margin(radius: Double) -> Double { max(100, radius / 2) }

  /// When time alone changes something; `.never` while only fixes do.
  var deadline: Instant { min(closing, opening) }

  /// - Parameter end: from then on the fix tells nothing.
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

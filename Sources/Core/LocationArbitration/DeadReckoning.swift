import Instants
import Locations
import RealModule

/// The recent distance that the device covered according to the speed that its receiver measures.
/// The receiver measures speed independently of its position, so their noise is independent as well.
struct DeadReckoning {
  private var (east, north) = (0.0, 0.0)
  /// The distance covered without a known course, in metres.
  private var somewhere = 0.0
  /// Whether every fix so far had a speed.
  private var isKnown = true
  private var latest: Instant?

  /// The time constant in seconds after which a step has decayed to 1/e of its length.
  /// Without the decay, the noise of an hour would add up to a walk.
  private static let memory = 120.0
  /// The speed error in m/s along each axis, unless the fix reports a smaller one.
  private static let noise = 0.1
  /// The longest gap between two fixes over which the distance is still known.
  private static let mostPause = Span.seconds(10)

  mutating func add(_ fix: Location) {
    guard let speed = fix.speed else {
      isKnown = false
      return
    }
    if let latest, fix.received - latest > Self.mostPause { isKnown = false }
    let time = latest.map { max(0, (fix.received - $0).seconds) } ?? 0
    let kept = Double.exp(-time / Self.memory)
    (east, north) = (kept * east, kept * north)
    if let course = fix.course {
      let direction = course * .pi / 180
      east += speed * time * .sin(direction)
      north += speed * time * .cos(direction)
      somewhere *= kept
    } else {
      // At rest and at slow walking speed a receiver reports no course. Speed well above the noise counts as distance in an unknown
      // direction. gpsd estimates speed errors of metres per second, which no real receiver has.
      let isNoise = speed < 2.5 * min(fix.speedAccuracy ?? Self.noise, Self.noise)
      somewhere = kept * somewhere + (isNoise ? 0 : speed * time)
    }
    latest = fix.received
  }

  mutating func restart(with fix: Location) {
    self = DeadReckoning()
    add(fix)
  }

  /// Returns whether the device has covered less than half of the distance in metres.
  func isShort(of metres: Double) -> Bool { isKnown && .hypot(east, north) + somewhere < metres / 2 }
}

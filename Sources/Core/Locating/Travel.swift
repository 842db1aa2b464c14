import Instants
import Locations
import RealModule

/// How far the device has come lately by its own speed, which a receiver measures apart from its position: the noise of the one is not that of the other.
struct Travel {
  private var (east, north) = (0.0, 0.0)
  /// Metres that it came without saying where to.
  private var somewhere = 0.0
  /// Every fix so far had a speed.
  private var isKnown = true
  private var latest: Instant?

  /// Seconds after which a step counts for no more than 1/e of itself: the noise of an hour adds up to a walk.
  private static let memory = 120.0
  /// m/s that a speed errs by along each axis where it does not say that it is less.
  private static let noise = 0.1
  /// Between two fixes that are farther apart nobody knows what happened.
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
      // Who stands has no course, and neither has who walks slowly: what is well above the noise is a way, wherever it leads. gpsd guesses that a speed
      // may err by metres a second, and no receiver's does.
      let isNoise = speed < 2.5 * min(fix.speedAccuracy ?? Self.noise, Self.noise)
      somewhere = kept * somewhere + (isNoise ? 0 : speed * time)
    }
    latest = fix.received
  }

  mutating func restart(with fix: Location) {
    self = Travel()
    add(fix)
  }

  /// Whether it has not come half of so many metres.
  func isShort(of metres: Double) -> Bool { isKnown && .hypot(east, north) + somewhere < metres / 2 }
}

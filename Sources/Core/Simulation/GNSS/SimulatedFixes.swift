import Geodesy
import Instants
import Locations
import RealModule
import Venues

/// The reports of the position receiver, fix by fix.
struct SimulatedFixes: Sendable {
  /// The time of the next report, which an outage may suppress.
  private(set) var next: Instant
  /// The numbers of present outages: those with a report of no fix, and those without any report.
  private var (searching, silent) = (0, 0)

  private let receiver: PositionReceiver
  private let site: VenueSite
  private var random: RandomStream
  private var drift: (x: DriftingError, y: DriftingError)
  private var last: LocationReading?
  /// The period over which the speed is computed, as in a real receiver.
  private static let speedSpan = Span.milliseconds(200)

  init(_ receiver: PositionReceiver, at site: VenueSite, seed: UInt64) {
    self.receiver = receiver
    self.site = site
    random = RandomStream(seed: seed, .fixes)
    drift = (DriftingError(receiver, &random), DriftingError(receiver, &random))
    next = Scenario.start + receiver.interval
  }

  /// Begins or ends outages of a kind.
  mutating func change(isSilent: Bool, by count: Int) {
    if isSilent { silent += count } else { searching += count }
  }

  /// Returns the report at `next`; nil if the receiver's carrier is away or a silent outage lasts.
  mutating func take(_ venue: SimulatedVenue) -> SourceReport? {
    let time = next
    next = time + receiver.interval
    // Random numbers are drawn in any case, so that outages do not change later fixes.
    let error = (x: drift.x.next(&random) + receiver.noise * random.normal(), y: drift.y.next(&random) + receiver.noise * random.normal())
    let shake = (x: random.normal(), y: random.normal())
    guard silent == 0, let place = venue.place(of: receiver.position, at: time)?.point else { return nil }
    guard searching == 0 else {
      // As real receivers do, it repeats the last position and marks it as not a fix.
      guard var reading = last else { return .searching(.init()) }
      (reading.isFix, reading.time) = (false, time)
      return .reading(reading)
    }
    let seen = site.coordinate(of: PlanPoint(x: place.x + error.x, y: place.y + error.y))
    var reading = LocationReading(latitude: seen.latitude, longitude: seen.longitude, horizontalAccuracy: receiver.accuracy, time: time)
    if let noise = receiver.speedNoise {
      let before = venue.place(of: receiver.position, at: time + Self.speedSpan * -1)?.point ?? place
      let x = (place.x - before.x) / Self.speedSpan.seconds + noise * shake.x
      let y = (place.y - before.y) / Self.speedSpan.seconds + noise * shake.y
      setMotion(&reading, x, y, noise)
    }
    last = reading
    return .reading(reading)
  }

  /// The lowest speed with a known course, in multiples of the speed noise.
  private static let leastSpeed = 3.0

  private func setMotion(_ reading: inout LocationReading, _ x: Double, _ y: Double, _ noise: Double) {
    let speed = Double.hypot(x, y)
    (reading.speed, reading.speedAccuracy) = (speed, noise)
    guard speed > Self.leastSpeed * noise else { return }
    reading.course = site.azimuth(x: x, y: y)
    reading.courseAccuracy = noise / speed * 180 / .pi
  }
}

/// A correlated error along one axis: a first-order Gauss-Markov process.
/// Brown and Hwang, Introduction to Random Signals and Applied Kalman Filtering, 3.8.
private struct DriftingError: Sendable {
  private var value: Double
  private let kept: Double
  private let fresh: Double

  init(_ receiver: PositionReceiver, _ random: inout RandomStream) {
    kept = Double.exp(-receiver.interval.seconds / receiver.driftTime.seconds)
    fresh = receiver.drift * (1 - kept * kept).squareRoot()
    value = receiver.drift * random.normal()
  }

  mutating func next(_ random: inout RandomStream) -> Double {
    value = value * kept + fresh * random.normal()
    return value
  }
}

extension Location.Source {
  /// The receiver of a simulated venue.
  public static let simulator = Location.Source("simulator")
}

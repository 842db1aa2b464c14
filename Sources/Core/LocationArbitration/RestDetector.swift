import Instants

/// A sample of an accelerometer, gravity included: m/s² along three perpendicular axes.
public struct Acceleration: Hashable, Sendable {
  public var x, y, z: Double

  public init(x: Double, y: Double, z: Double) {
    (self.x, self.y, self.z) = (x, y, z)
  }
}

/// Detects from accelerometer samples whether the device is at rest.
///
/// Walking shakes a device by at least one metre per second squared, while a sensor at rest scatters by a twentieth of that. A smooth
/// ride may look like rest, so rest alone does not hold back a fix that is far away.
struct RestDetector {
  static let window = Span.seconds(5)
  private static let fewest = 10
  /// The largest standard deviation along an axis at rest, in m/s².
  private static let mostShaking = 0.15
  private static let mostSamples = 64

  private var samples: [(felt: Acceleration, time: Instant)] = []

  mutating func take(_ acceleration: Acceleration, at now: Instant) {
    guard acceleration.x.isFinite, acceleration.y.isFinite, acceleration.z.isFinite else { return }
    samples.removeAll { now - $0.time > Self.window }
    if samples.count == Self.mostSamples { samples.removeFirst() }
    samples.append((acceleration, now))
  }

  /// Returns whether the device is at rest; false if there are too few recent samples.
  func isStill(at now: Instant) -> Bool {
    let recent = samples.filter { now - $0.time <= Self.window }
    guard recent.count >= Self.fewest, let first = recent.first, now - first.time >= Self.window * 0.7 else { return false }
    return [\Acceleration.x, \.y, \.z].allSatisfy { axis in
      let values = recent.map { $0.felt[keyPath: axis] }
      let mean = values.reduce(0, +) / Double(values.count)
      let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      return (squares / Double(values.count)).squareRoot() < Self.mostShaking
    }
  }
}

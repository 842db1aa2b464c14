import Headings
import Instants
import RealModule

/// Detects from an accelerometer whether the device is at rest.
///
/// Walking shakes a device by at least one metre per second squared, while a sensor at rest scatters by a twentieth of that. A smooth
/// ride may look like rest, so rest alone does not hold back a fix that is far away.
struct SensorRestDetector: Sendable {
  /// The time over which the samples may not scatter.
  static let window = Span.seconds(5)
  private static let fewest = 10
  /// The largest standard deviation along an axis at rest, in m/s².
  private static let mostShaking = 0.15
  /// The acceleration of a device at rest in m/s². A driver that gives zeros, or a part of gravity, is defective.
  private static let gravity = 6.0...14
  /// The length of the parts in which the window advances.
  private static let part = Span.milliseconds(500)
  private static let parts = 10

  /// The sums of the samples of one part.
  private struct Part {
    var begin: Instant
    var count = 0.0
    var sum = SpaceVector.zero
    var squares = SpaceVector.zero
  }

  private var parts: [Part] = []
  private var lastSample = Instant(microseconds: .min)

  mutating func take(_ acceleration: SpaceVector, at time: Instant) {
    if time < lastSample { parts.removeAll(keepingCapacity: true) }
    lastSample = time
    if parts.last.map({ time - $0.begin >= Self.part }) ?? true {
      parts.removeAll { time - $0.begin >= Self.window }
      if parts.count == Self.parts { parts.removeFirst() }
      parts.append(Part(begin: time))
    }
    let last = parts.count - 1
    parts[last].count += 1
    parts[last].sum += acceleration
    parts[last].squares += acceleration * acceleration
  }

  /// Returns whether the device is at rest; nil if there are too few recent samples.
  func isStill(at now: Instant) -> Bool? {
    let recent = parts.filter { now - $0.begin <= Self.window }
    guard let first = recent.first, now - first.begin >= Self.window * 0.7, now - lastSample <= Self.window * 0.3 else { return nil }
    let count = recent.reduce(0) { $0 + $1.count }
    guard count >= Double(Self.fewest) else { return nil }
    let mean = recent.reduce(SpaceVector.zero) { $0 + $1.sum } / count
    guard Self.gravity.contains(mean.length) else { return nil }
    let variance = recent.reduce(SpaceVector.zero) { $0 + $1.squares } / count - mean * mean
    return variance.max() < Self.mostShaking * Self.mostShaking
  }
}

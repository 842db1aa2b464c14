public import Headings
public import Instants
import RealModule

/// Determines from the sensors of the device whether it is still, carried by a walker, or moved otherwise.
///
/// The samples of an accelerometer are necessary, at least five a second for rest and twenty a second for steps. A gyroscope or headings
/// show turns, by which a smooth ride differs from rest.
public struct MotionEstimator: Sendable {
  /// m/s² beyond which a sample is a defect.
  private static let strongest = 1000.0

  /// The number of samples that were refused, because they are not numbers or far too large.
  public private(set) var refused: UInt64 = 0
  private var stillness = SensorRestDetector()
  private var stepDetector = StepDetector()
  private var turns = TurnDetector()

  public init() {}

  /// The number of steps since the start.
  public var steps: UInt64 { stepDetector.steps }

  /// Takes the acceleration in m/s², gravity included; a device that rests face up reports +9.8 for z.
  /// With the other sign, only the direction of a turn is wrong.
  public mutating func take(acceleration: SpaceVector, at time: Instant) {
    guard acceleration.isFinite, acceleration.length < Self.strongest else {
      refused += 1
      return
    }
    stillness.take(acceleration, at: time)
    stepDetector.take(acceleration, at: time)
    turns.take(acceleration: acceleration, at: time)
  }

  /// Takes the rotation in radians a second about the axes of the device, counter-clockwise as seen from the end of the axis.
  public mutating func take(rotation: SpaceVector, at time: Instant) {
    guard rotation.isFinite, rotation.length < Self.strongest else {
      refused += 1
      return
    }
    turns.take(rotation: rotation, at: time)
  }

  /// Takes a heading in degrees with its accuracy.
  public mutating func take(heading: Double, accuracy: Double, at time: Instant) {
    guard heading.isFinite, accuracy.isFinite else { return }
    turns.take(heading: heading, accuracy: accuracy, at: time)
  }

  /// Returns the motion at a time, which is unknown a while after the last sample.
  public func motion(at now: Instant) -> DeviceMotion {
    let turn = turns.turn(at: now)
    if let cadence = stepDetector.cadence(at: now) { return DeviceMotion(.walking, cadence: cadence, turn: turn) }
    guard let isStill = stillness.isStill(at: now) else { return DeviceMotion(.unknown, turn: turn) }
    return DeviceMotion(isStill && !turns.hasTurned(at: now) ? .still : .moving, turn: turn)
  }
}

/// Detects turns of the device about the vertical, by its gyroscope or its headings.
struct TurnDetector: Sendable {
  /// The time constant of the direction of gravity.
  private static let smoothing = 0.5
  private static let gap = Span.seconds(1)
  /// The time over which a turn is reported.
  private static let window = Span.seconds(1)
  /// Radians a second beyond which the device turns about some axis.
  private static let turning = 0.1
  /// The time constants with which the offset of the gyroscope is learned, without a turn and during one, in seconds.
  /// The offset of a cheap one is up to 0.35 rad/s (MPU-6050) and changes with the temperature.
  private static let learning = (rest: 20.0, turn: 120.0)
  /// The degrees between two headings that show a turn, and that in sigmas of the headings.
  private static let headings = (degrees: 20.0, sigmas: 4.0)
  private static let mostHeadings = 6

  private var up: SpaceVector?
  private var lastUp: Instant?
  private var lastRotation: (rate: SpaceVector, time: Instant)?
  /// The rate that the gyroscope reports at rest.
  private var offset = SpaceVector.zero
  /// The turns of the last second in degrees, clockwise, with the times of their ends.
  private var turned: [(degrees: Double, time: Instant)] = []
  /// One heading of each second.
  private var headings: [(degrees: Double, accuracy: Double, time: Instant)] = []
  private var lastTurn: Instant?

  mutating func take(acceleration: SpaceVector, at time: Instant) {
    guard let direction = acceleration.direction else { return }
    defer { lastUp = time }
    guard let up, let lastUp, time > lastUp, time - lastUp <= Self.gap else {
      up = direction
      return
    }
    self.up = up + (direction - up) * (1 - .exp(-(time - lastUp).seconds / Self.smoothing))
  }

  /// - Parameter rate: radians a second about the axes, counter-clockwise as seen from the end of the axis.
  mutating func take(rotation measured: SpaceVector, at time: Instant) {
    let rate = measured - offset
    let isTurning = rate.length > Self.turning
    if let last = lastRotation?.time, time > last, time - last <= Self.gap {
      offset += rate * (1 - .exp(-(time - last).seconds / (isTurning ? Self.learning.turn : Self.learning.rest)))
    }
    defer { lastRotation = (rate, time) }
    if isTurning { lastTurn = time }
    guard let last = lastRotation, time > last.time, time - last.time <= Self.gap, let up = up?.direction else {
      turned.removeAll(keepingCapacity: true)
      return
    }
    turned.removeAll { time - $0.time >= Self.window }
    turned.append((-(rate + last.rate).dot(up) / 2 * (time - last.time).seconds * 180 / .pi, time))
  }

  mutating func take(heading degrees: Double, accuracy: Double, at time: Instant) {
    if let last = headings.last, time < last.time { headings.removeAll(keepingCapacity: true) }
    if let last = headings.last, time - last.time < Self.window { return }
    headings.removeAll { time - $0.time >= SensorRestDetector.window }
    if headings.count == Self.mostHeadings { headings.removeFirst() }
    let limit = max(Self.headings.degrees, Self.headings.sigmas * accuracy)
    if headings.contains(where: { abs((degrees - $0.degrees).remainder(dividingBy: 360)) > limit }) { lastTurn = time }
    headings.append((degrees, accuracy, time))
  }

  /// The degrees by which the device turned in the last second, clockwise as seen from above; nil if nothing shows it.
  func turn(at now: Instant) -> Double? {
    if let last = turned.last, now - last.time <= Self.gap { return turned.reduce(0) { $0 + $1.degrees } }
    guard headings.count >= 2, let last = headings.last, now - last.time <= Self.window * 1.5 else { return nil }
    let previous = headings[headings.count - 2]
    return (last.degrees - previous.degrees).remainder(dividingBy: 360) / (last.time - previous.time).seconds
  }

  /// Whether the device has turned within the time over which rest is judged.
  func hasTurned(at now: Instant) -> Bool { lastTurn.map { now >= $0 && now - $0 <= SensorRestDetector.window } ?? false }
}

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

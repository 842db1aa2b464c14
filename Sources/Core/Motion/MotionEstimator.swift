public import Headings
public import Instants

/// Determines from the sensors of the device whether it is still, carried by a walker, or moved otherwise.
///
/// The samples of an accelerometer are necessary, at least five a second for rest and twenty a second for steps. A gyroscope or headings show
/// turns, by which a smooth ride differs from rest.
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

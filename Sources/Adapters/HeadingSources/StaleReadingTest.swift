import Headings
import Instants

/// Recognises a driver that repeats an old field.
///
/// Sensor hubs report only changes, so a still device may repeat its field; one that was turned may not. The accelerometer shows a tilt,
/// and the gyroscope also a turn about the vertical.
struct StaleReadingTest {
  private static let patience = Span.seconds(2)
  /// The cosine of a turn of 20°, and the turn in radians.
  private static let turn = (cosine: 0.94, angle: 0.349)
  /// A longer pause of the gyroscope shows no turn.
  private static let gap = Span.milliseconds(500)
  /// The rotation in rad/s that the bias of a gyroscope at rest can have: 0.6° a second.
  private static let bias = 0.01

  private var field: SpaceVector?
  private var changed: Instant?
  private var upThen: SpaceVector?
  private var up: SpaceVector?
  /// The rotation in radians about the axes of the device since the field changed.
  private var angle = SpaceVector.zero
  private var lastRotation: Instant?
  private(set) var isStale = false

  mutating func take(acceleration: SpaceVector) {
    let length = acceleration.length
    if length > 1 { up = acceleration / length }
  }

  /// Takes a rotation in radians per second.
  mutating func take(rotation: SpaceVector, at time: Instant) {
    defer { lastRotation = time }
    guard let lastRotation, time > lastRotation, time - lastRotation <= Self.gap, rotation.length > Self.bias else { return }
    angle += rotation * (time - lastRotation).seconds
  }

  mutating func take(field: SpaceVector, at time: Instant) {
    guard let changed, field == self.field else {
      (self.field, changed, upThen, angle, isStale) = (field, time, up, .zero, false)
      return
    }
    guard time - changed >= Self.patience else { return }
    let isTilted = up.flatMap { up in upThen.map { (up * $0).sum() < Self.turn.cosine } } ?? false
    isStale = isTilted || angle.length > Self.turn.angle
  }
}

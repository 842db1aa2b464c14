import Instants
import RealModule

/// Detects fields that do not move with the device, such as that of a magnet or of iron nearby.
///
/// The field is compared with the one expected at this place: from the model of the earth's field, or from the calibration. A fixed range
/// would not do: at São Paulo the earth's field has 23 µT, near the poles 65 µT.
struct InterferenceDetector {
  /// The field that is expected: its strength in µT, and the sine of its angle below the horizon, nil if unknown.
  struct Expectation: Hashable {
    var strength: Double
    var sineOfInclination: Double?
  }

  /// The direction away from the earth in the frame of the device.
  struct Tilt: Hashable {
    var up: SpaceVector
    /// Whether the direction is that of a device that does not accelerate; otherwise it is the mean of one that sways.
    var isSteady: Bool
  }

  /// A deviation of the strength that is interference, in µT, and of the inclination in degrees. Source: PX4, EKF2_MAG_CHECK.
  /// The mean of a device that sways, as that of a walker, is wrong by several degrees.
  private static let limits = (strength: 20.0, inclination: 20.0, swaying: 40.0)
  /// The share of these limits below which interference ends.
  private static let clear = 0.75
  /// The share of the limits that counts after a jump of the field's direction.
  /// A magnet can leave the strength as it was.
  private static let suspicion = 0.4
  /// No hand turns a device faster: degrees per second, and the noise of two samples in degrees.
  private static let fastestTurn = (rate: 1500.0, noise: 20.0)
  /// The time constant of the smoothing in seconds.
  private static let smoothing = 0.2
  private static let patience = (begin: Span.milliseconds(100), end: Span.milliseconds(800))

  private(set) var isDisturbed = false
  private var changing: Instant?
  /// The smoothed deviation as a multiple of its limit.
  private var excess = 0.0
  private var last: (field: SpaceVector, time: Instant)?
  /// The time of the latest jump, until the field is clear.
  private var jump: Instant?

  /// The field differs from the expected one, perhaps for too short a time to be called disturbed.
  var isSuspect: Bool { isDisturbed || changing != nil || jump != nil }

  /// Returns whether the field is disturbed. `field` is the corrected field in µT, `tilt` is nil if unknown.
  mutating func isDisturbed(_ field: SpaceVector, tilt: Tilt?, expected: Expectation, at time: Instant) -> Bool {
    let elapsed = last.map { time - $0.time } ?? .zero
    noteJump(to: field, at: time)
    let latest = Self.excess(field, tilt, expected)
    // A walker's sway exceeds a limit for a moment; the end of interference is judged by the mean of a short time.
    excess += (latest - excess) * (elapsed > .zero ? 1 - .exp(-elapsed.seconds / Self.smoothing) : 1)
    let relative = (isDisturbed ? min(latest, excess) : latest) / (jump == nil ? 1 : Self.suspicion)
    let differs = isDisturbed ? relative < Self.clear : relative > 1
    guard differs else {
      changing = nil
      if !isDisturbed, let since = jump, time - since > Self.patience.end { jump = nil }
      return isDisturbed
    }
    let since = changing.map { min($0, time) } ?? time
    changing = since
    if time - since >= (isDisturbed ? Self.patience.end : Self.patience.begin) {
      isDisturbed.toggle()
      changing = nil
      if !isDisturbed { jump = nil }
    }
    return isDisturbed
  }

  private mutating func noteJump(to field: SpaceVector, at time: Instant) {
    defer { last = field.direction.map { ($0, time) } }
    guard let last, let direction = field.direction, time > last.time else { return }
    let angle = Double.acos(max(-1, min(1, last.field.dot(direction)))) * .degreesPerRadian
    if angle > Self.fastestTurn.noise + Self.fastestTurn.rate * (time - last.time).seconds { jump = time }
  }

  /// The deviation as a multiple of its limit.
  private static func excess(_ field: SpaceVector, _ tilt: Tilt?, _ expected: Expectation) -> Double {
    let strength = field.length
    let byStrength = abs(strength - expected.strength) / limits.strength
    guard let tilt, let sine = expected.sineOfInclination, strength > 1e-6 else { return byStrength }
    let inclination = Double.asin(max(-1, min(1, -field.dot(tilt.up) / strength))) * .degreesPerRadian
    let limit = tilt.isSteady ? limits.inclination : limits.swaying
    let byInclination = abs(inclination - Double.asin(max(-1, min(1, sine))) * .degreesPerRadian) / limit
    return max(byStrength, byInclination)
  }
}

import Instants
import RealModule

/// Checks a stored calibration against the present field before it is trusted.
///
/// A device can change while it is off: a new battery or a case adds a field. Interference is only found beyond 20 µT, so a stored
/// calibration has to agree more closely at first.
public struct CalibrationCheck: Sendable {
  /// Samples whose mean is compared.
  private static let samples = 12
  /// The largest deviation of the strength, in µT and as a share of it, and of the inclination in degrees.
  private static let limits = (strength: 4.0, share: 0.08, inclination: 10.0)

  private let calibration: MagneticCalibration
  private var strength = 0.0
  private var sine = 0.0
  private var count = 0
  private var tilts = 0

  /// Whether the calibration has agreed with the field. Later samples do not change the result.
  public private(set) var isPassed = false

  public init(_ calibration: MagneticCalibration) {
    self.calibration = calibration
  }

  /// Takes an uncorrected sample in µT, and the direction away from the earth; nil if it is unknown.
  public mutating func take(_ sample: SpaceVector, up: SpaceVector?, reference: MagneticReference?) {
    guard !isPassed else { return }
    let field = calibration.corrected(sample)
    let length = field.length
    guard length.isFinite, length > 1e-6 else { return }
    strength += length
    count += 1
    if let up {
      sine -= field.dot(up) / length
      tilts += 1
    }
    guard count >= Self.samples else { return }
    isPassed = agrees(reference)
    (strength, sine, count, tilts) = (0, 0, 0, 0)
  }

  private func agrees(_ reference: MagneticReference?) -> Bool {
    let expected = calibration.expectedStrength(at: reference?.strength)
    let limit = max(Self.limits.strength, Self.limits.share * expected) + 3 * calibration.residual
    guard abs(strength / Double(count) - expected) <= limit else { return false }
    let expectedSine = reference.map { Double.sin($0.inclination / .degreesPerRadian) } ?? calibration.sineOfInclination
    guard let expectedSine, tilts > 0 else { return true }
    func angle(_ sine: Double) -> Double { .asin(max(-1, min(1, sine))) * .degreesPerRadian }
    return abs(angle(sine / Double(tilts)) - angle(expectedSine)) <= Self.limits.inclination
  }
}

import Instants
import RealModule

/// The correction of a magnetometer for the fields that move with the device.
///
/// Magnetised parts add an offset (hard iron); parts that conduct the field bend it (soft iron). The earth's field is
/// `matrix * (sample - offset)`.
public struct MagneticCalibration: Hashable, Sendable {
  /// The hard-iron offset in µT.
  public let offset: SpaceVector
  /// The soft-iron correction, which keeps the mean strength of the field.
  public let matrix: SpaceMatrix
  /// The strength in µT of the field in which the device was calibrated, as the sensor measures it.
  /// Sensors and soft iron change the scale by some percent.
  public let strength: Double
  /// The strength of the earth's field at the place of the calibration, in µT; nil if the place was unknown.
  public let strengthOfPlace: Double?
  /// The sine of the angle of that field below the horizon; nil without an accelerometer.
  public let sineOfInclination: Double?
  /// One standard deviation in radians of a rotation of the corrected field that was not measured, about each axis.
  /// Soft iron that is not symmetric rotates the field, and only an accelerometer shows that.
  var unknownRotation: Double { sineOfInclination == nil ? 0.05 : 0 }
  /// The root mean square of the deviations from the strength, in µT.
  public let residual: Double
  /// The covariance of the three components of the offset in units of the strength, then of the matrix row by row: 12 × 12.
  let covariance: [Double]

  /// Creates a stored calibration.
  /// Returns nil unless all values are finite, the matrix is invertible, and the covariance has 144 numbers.
  public init?(
    offset: SpaceVector, matrix: SpaceMatrix, strength: Double, strengthOfPlace: Double?, sineOfInclination: Double?, residual: Double,
    covariance: [Double]
  ) {
    guard offset.isFinite, SpaceMatrix(rowMajor: matrix.rowMajor) != nil, (1...200).contains(strength),
      strengthOfPlace.map({ (10...100).contains($0) }) ?? true,
      sineOfInclination.map({ abs($0) <= 1 }) ?? true, (0...strength).contains(residual),
      covariance.count == Self.unknowns * Self.unknowns, covariance.allSatisfy(\.isFinite)
    else { return nil }
    (self.offset, self.matrix, self.strength, self.sineOfInclination) = (offset, matrix, strength, sineOfInclination)
    (self.strengthOfPlace, self.residual, self.covariance) = (strengthOfPlace, residual, covariance)
  }

  /// The offset and the matrix.
  static let unknowns = 12

  /// The covariance row by row, for storage.
  public var storedCovariance: [Double] { covariance }

  /// Returns the strength in µT that the corrected field has at a place with this strength of the earth's field.
  func expectedStrength(at place: Double?) -> Double {
    guard let place, let strengthOfPlace else { return strength }
    return strength * place / strengthOfPlace
  }

  /// Returns the earth's field in µT from a sample in µT.
  public func corrected(_ sample: SpaceVector) -> SpaceVector { matrix * (sample - offset) }

  /// Returns the sample in µT from which `field` was corrected.
  func sample(of field: SpaceVector) -> SpaceVector { matrix.solved(for: field) + offset }

  /// Returns one standard deviation of the heading in radians that this calibration causes.
  ///
  /// `field` is the corrected field in µT and `up` the direction away from the earth, both in the frame of the device.
  func headingDeviation(field: SpaceVector, up: SpaceVector) -> Double {
    let v = field / strength
    guard let east = v.cross(up).direction else { return .pi }
    let horizontal = v.dot(up.cross(east))
    let y = matrix.solved(for: v)
    let byOffset = matrix.transposedTimes(east)
    var gradient = [-byOffset.x, -byOffset.y, -byOffset.z]
    for row in 0..<3 { for column in 0..<3 { gradient.append(east[row] * y[column]) } }
    var variance = 0.0
    for i in 0..<Self.unknowns {
      var sum = 0.0
      for j in 0..<Self.unknowns { sum += covariance[i * Self.unknowns + j] * gradient[j] }
      variance += gradient[i] * sum
    }
    return min(.pi, max(0, variance).squareRoot() / max(horizontal, 1e-6))
  }

  /// Returns one standard deviation of the heading in radians, as the root mean square over 12 headings of a level device.
  ///
  /// `sineOfInclination` is that of the field at this place; if neither it nor the calibration's is known, 60° are assumed.
  public func typicalHeadingDeviation(sineOfInclination: Double? = nil) -> Double {
    let s = sineOfInclination ?? self.sineOfInclination ?? 0.866
    let c = max(0, 1 - s * s).squareRoot()
    let deviations = (0..<12).map { index in
      let angle = Double(index) * .pi / 6
      let field = SpaceVector(c * .sin(angle), c * .cos(angle), -s) * strength
      return headingDeviation(field: field, up: [0, 0, 1])
    }
    return (deviations.map { $0 * $0 }.reduce(0, +) / 12).squareRoot()
  }
}

import Instants
import RealModule

extension HeadingEstimator {
  /// The progress of the calibration, 0...1: 1 when it is good enough.
  public var calibrationProgress: Double {
    guard calibration == nil else { return 1 }
    // Half of all directions suffice when they surround the device.
    return min(0.99, samples.coverage / 0.5)
  }

  /// Whether the field has been measured in each of 96 directions.
  /// They are the faces +x, -x, +y, -y, +z, -z of a cube, each with four rows of four cells.
  public var coveredDirections: [Bool] { samples.coveredDirections }

  private func deviation(_ calibration: MagneticCalibration) -> Double {
    calibration.typicalHeadingDeviation(sineOfInclination: reference.map { .sin($0.inclination / .degreesPerRadian) })
  }

  /// Returns whether a fit is as precise as the present calibration. One with an accelerometer is better than one without.
  func isAsGood(_ fitted: MagneticCalibration, as calibration: MagneticCalibration) -> Bool {
    guard fitted.unknownRotation == calibration.unknownRotation else { return fitted.unknownRotation == 0 }
    return deviation(fitted) <= 1.2 * deviation(calibration)
  }

  /// Returns whether a fit is precise enough, and was made in a field that can be the earth's.
  func isGood(_ fitted: MagneticCalibration) -> Bool {
    guard fitted.residual <= 0.1 * fitted.strength, deviation(fitted) <= Self.usable else { return false }
    return (reference.map { abs($0.strength - fitted.strength) <= 20 } ?? true) && (15...90).contains(fitted.strength)
  }

  /// Returns one standard deviation of the heading in radians.
  /// Its parts are calibration, noise, tilt, and a field that differs a little.
  mutating func deviation(field value: SpaceVector, _ attitude: Attitude, at time: Instant) -> Double? {
    guard let calibration else { return nil }
    let horizontal = value.dot(attitude.north)
    guard horizontal > 0.1 else { return nil }
    var byCalibration = accuracyCache?.deviation ?? 0
    if accuracyCache.map({ time - $0.time >= .milliseconds(200) || time < $0.time }) ?? true {
      byCalibration = calibration.headingDeviation(field: value, up: attitude.up)
      accuracyCache = (byCalibration, time)
    }
    let byNoise = field.deviation(along: attitude.east) / horizontal
    let rotation = calibration.unknownRotation
    let tilt = Double.hypot(assumesLevel ? assumedTilt(of: value) : up.deviation(along: attitude.east), rotation)
    let byTilt = Double.hypot(tilt * value.dot(attitude.up) / horizontal, rotation)
    // A local field that is not yet interference turns the heading by up to its share of the horizontal field.
    let expected = calibration.expectedStrength(at: reference?.strength)
    let excess = max(0, abs(value.length - expected) - 3 * calibration.residual - 0.02 * expected)
    let byLocalField = excess / horizontal / 2.0.squareRoot()
    return (byCalibration * byCalibration + byNoise * byNoise + byTilt * byTilt + byLocalField * byLocalField).squareRoot()
  }

  /// Returns one standard deviation in radians of the tilt of a device that is assumed to lie level.
  /// A field that is not inclined as expected shows one part of the tilt, and the other part is taken for as large.
  private func assumedTilt(of field: SpaceVector) -> Double {
    guard let expected = reference.map({ $0.inclination / .degreesPerRadian }) ?? calibration?.sineOfInclination.map(Double.asin),
      let down = field.direction.map({ -$0.z })
    else { return Self.levelTilt }
    return max(Self.levelTilt, abs(.asin(max(-1, min(1, down))) - expected))
  }
}

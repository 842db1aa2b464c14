import LeastSquares
import RealModule

/// Computes a calibration from samples by least squares.
///
/// The corrected field has the same strength in every attitude, and the same angle below the horizon. The first condition determines an
/// ellipsoid, and leaves a rotation open. The second, which needs an accelerometer, determines the rotation too. Weak assumptions about
/// soft iron keep the solution close to a sphere where few directions are covered. The covariance shows the uncertainty: samples in one
/// plane leave the offset across the plane uncertain.
enum CalibrationFit {
  /// Soft iron deviates from the identity by about this much.
  private static let softIron = 0.15
  /// The rotation of the field by soft iron and by the mounting of the sensors: with an accelerometer, and without.
  /// Without one it stays unknown, and `MagneticCalibration.unknownRotation` has its size.
  private static let rotation = (withGravity: 0.05, without: 0.01)
  private static let iterations = 8
  static let fewestSamples = 24

  /// Returns nil if the samples are too few, or do not determine a sphere.
  ///
  /// - Parameter strengthOfPlace: the strength of the earth's field in µT; nil if it is unknown.
  static func calibration(of samples: [CalibrationSamples.Sample], strengthOfPlace: Double?) -> MagneticCalibration? {
    guard samples.count >= fewestSamples, let sphere = sphere(around: samples.map(\.field)) else { return nil }
    let radius = sphere.radius
    guard (5...200).contains(radius) else { return nil }
    let points = samples.map { (y: $0.field / radius, up: $0.up) }
    let withGravity = points.count { $0.up != nil } >= fewestSamples
    var solution = Solution(offset: sphere.center / radius, withGravity: withGravity)
    let prior = solution
    // The deviations of the strength, and of its component along gravity, as shares of the strength. The data replace these guesses.
    var (noise, tilt) = (0.02, 0.02)
    var covariance: [Double] = []
    for iteration in 0..<iterations {
      var equations = NormalEquations(count: Solution.unknowns)
      addAssumptions(to: &equations, solution, prior: prior)
      var (squares, tiltSquares, tilts) = (0.0, 0.0, 0)
      for point in points {
        let v = solution.matrix * (point.y - solution.offset)
        guard let direction = v.direction else { return nil }
        let deviation = v.length - 1
        squares += min(deviation * deviation, 25 * noise * noise)
        // Samples far from the sphere count less (Huber).
        let weight = min(1, 2.5 * noise / max(abs(deviation), 1e-9)) / (noise * noise)
        equations.add(solution.gradient(of: direction, at: point.y, bySine: 0), -deviation, weight: weight)
        if withGravity, let up = point.up {
          let deviation = v.dot(up) + solution.sine
          tiltSquares += min(deviation * deviation, 25 * tilt * tilt)
          tilts += 1
          let weight = min(1, 2.5 * tilt / max(abs(deviation), 1e-9)) / (tilt * tilt)
          equations.add(solution.gradient(of: up, at: point.y, bySine: 1), -deviation, weight: weight)
        }
      }
      guard let step = equations.solved() else { return nil }
      solution.advance(by: step.unknowns)
      guard solution.isPlausible else { return nil }
      covariance = step.covariance
      // The first steps still move the sphere.
      if iteration >= 2 {
        noise = max(1e-3, (squares / Double(max(1, points.count - MagneticCalibration.unknowns))).squareRoot())
        tilt = max(1e-3, (tiltSquares / Double(max(1, tilts - 4))).squareRoot())
      }
    }
    let n = MagneticCalibration.unknowns
    let reduced = (0..<n).flatMap { row in (0..<n).map { covariance[row * Solution.unknowns + $0] } }
    return MagneticCalibration(
      offset: solution.offset * radius, matrix: solution.matrix, strength: radius, strengthOfPlace: strengthOfPlace,
      sineOfInclination: withGravity ? max(-1, min(1, solution.sine)) : nil, residual: noise * radius, covariance: reduced)
  }

  /// The sphere closest to the points by the linear method; nil for points that determine none.
  private static func sphere(around points: [SpaceVector]) -> (center: SpaceVector, radius: Double)? {
    let mean = points.reduce(SpaceVector.zero, +) / Double(points.count)
    let scale = (points.map { ($0 - mean).dot($0 - mean) }.reduce(0, +) / Double(points.count)).squareRoot()
    guard scale > 1 else { return nil }
    var equations = NormalEquations(count: 4)
    // The offset is about as large as the field. Across a plane of samples, only this assumption determines it.
    for axis in 0..<3 { equations.add((0..<4).map { $0 == axis ? 1 : 0 }, 0, weight: 0.01) }
    for point in points {
      let p = (point - mean) / scale
      equations.add([2 * p.x, 2 * p.y, 2 * p.z, 1], p.dot(p), weight: 1)
    }
    guard let (unknowns, _) = equations.solved() else { return nil }
    let center = SpaceVector(unknowns[0], unknowns[1], unknowns[2])
    let squared = unknowns[3] + center.dot(center)
    guard squared > 0, squared.isFinite else { return nil }
    return (mean + center * scale, squared.squareRoot() * scale)
  }

  private static func addAssumptions(to equations: inout NormalEquations, _ solution: Solution, prior: Solution) {
    func unit(_ parts: [(Int, Double)]) -> [Double] {
      var gradient = [Double](repeating: 0, count: Solution.unknowns)
      for (index, value) in parts { gradient[index] = value }
      return gradient
    }
    let turn = solution.withGravity ? rotation.withGravity : rotation.without
    for row in 0..<3 {
      equations.add(unit([(row, 1)]), prior.offset[row] - solution.offset[row], weight: 0.04)
      equations.add(unit([(3 + 4 * row, 1)]), 1 - solution.matrix.rows[row][row], weight: 1 / (softIron * softIron))
      for column in 0..<row {
        let (a, b) = (3 + 3 * row + column, 3 + 3 * column + row)
        let (below, above) = (solution.matrix.rows[row][column], solution.matrix.rows[column][row])
        equations.add(unit([(a, 0.5), (b, 0.5)]), -(below + above) / 2, weight: 1 / (softIron * softIron))
        equations.add(unit([(a, 0.5), (b, -0.5)]), -(below - above) / 2, weight: 1 / (turn * turn))
      }
    }
    equations.add(unit([(Solution.unknowns - 1, 1)]), -solution.sine, weight: solution.withGravity ? 1 : 1e6)
  }
}

/// The unknowns of a fit in units of the sphere's radius.
/// They are the offset, the matrix row by row, and the sine of the inclination.
private struct Solution {
  static let unknowns = MagneticCalibration.unknowns + 1

  var offset: SpaceVector
  var matrix = SpaceMatrix.identity
  var sine = 0.0
  let withGravity: Bool

  init(offset: SpaceVector, withGravity: Bool) {
    (self.offset, self.withGravity) = (offset, withGravity)
  }

  /// Returns the derivatives of the component of the corrected field along `direction`.
  func gradient(of direction: SpaceVector, at y: SpaceVector, bySine: Double) -> [Double] {
    let byOffset = matrix.transposedTimes(direction)
    let p = y - offset
    var gradient = [-byOffset.x, -byOffset.y, -byOffset.z]
    gradient.reserveCapacity(Self.unknowns)
    for row in 0..<3 { for column in 0..<3 { gradient.append(direction[row] * p[column]) } }
    gradient.append(bySine)
    return gradient
  }

  mutating func advance(by step: [Double]) {
    offset += SpaceVector(step[0], step[1], step[2])
    for row in 0..<3 { matrix.rows[row] += SpaceVector(step[3 + 3 * row], step[4 + 3 * row], step[5 + 3 * row]) }
    sine += step[Self.unknowns - 1]
  }

  var isPlausible: Bool {
    offset.isFinite && offset.length < 100 && matrix.rows.allSatisfy(\.isFinite) && (0.1...10).contains(matrix.determinant)
      && sine.isFinite
  }
}

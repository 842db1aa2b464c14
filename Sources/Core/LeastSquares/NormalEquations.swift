/// The weighted normal equations of a least-squares problem, with a fixed number of unknowns.
public struct NormalEquations {
  /// The number of unknowns.
  public let count: Int
  /// The lower triangle of the matrix row by row; a whole square is stored.
  private var matrix: [Double]
  private var right: [Double]

  public init(count: Int) {
    self.count = count
    matrix = [Double](repeating: 0, count: count * count)
    right = [Double](repeating: 0, count: count)
  }

  /// Adds a measurement: its derivatives by the unknowns, the value to explain, and the inverse of its variance.
  public mutating func add(_ gradient: [Double], _ value: Double, weight: Double) {
    for i in 0..<count where gradient[i] != 0 {
      let scaled = weight * gradient[i]
      right[i] += scaled * value
      for j in 0...i { matrix[i * count + j] += scaled * gradient[j] }
    }
  }

  /// Returns the unknowns and their covariance, row by row; nil if the measurements do not determine them.
  public func solved() -> (unknowns: [Double], covariance: [Double])? {
    var lower = matrix
    for i in 0..<count {
      for j in 0...i {
        var sum = lower[i * count + j]
        for k in 0..<j { sum -= lower[i * count + k] * lower[j * count + k] }
        if i == j {
          guard sum > 1e-12 * matrix[i * count + i], sum.isFinite else { return nil }
          lower[i * count + i] = sum.squareRoot()
        } else {
          lower[i * count + j] = sum / lower[j * count + j]
        }
      }
    }
    var covariance = [Double](repeating: 0, count: count * count)
    for column in 0..<count {
      var unit = [Double](repeating: 0, count: count)
      unit[column] = 1
      let solution = substituted(lower, unit)
      for row in 0..<count { covariance[row * count + column] = solution[row] }
    }
    return (substituted(lower, right), covariance)
  }

  private func substituted(_ lower: [Double], _ right: [Double]) -> [Double] {
    var solution = right
    for i in 0..<count {
      for k in 0..<i { solution[i] -= lower[i * count + k] * solution[k] }
      solution[i] /= lower[i * count + i]
    }
    for i in (0..<count).reversed() {
      for k in i + 1..<count { solution[i] -= lower[k * count + i] * solution[k] }
      solution[i] /= lower[i * count + i]
    }
    return solution
  }
}

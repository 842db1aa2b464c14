/// Normal equations with one unknown for each transmitter, and two that all of them share.
///
/// Each row of the design has 1 for its transmitter, 1 for the common level and a number for the exponent. The matrix therefore looks like
/// an arrow, and eliminating the transmitters leaves two equations.
struct ArrowSystem: Hashable, Sendable {
  /// The sums of one transmitter's rows.
  struct Sums: Hashable, Sendable, Codable {
    var weight = 0.0
    /// The sums of weight times the exponent's number and its square.
    var x = 0.0, xx = 0.0
    /// The sums of weight times the observation, and of weight times both.
    var y = 0.0, xy = 0.0

    mutating func add(x: Double, y: Double, weight: Double) {
      self.weight += weight
      self.x += weight * x
      self.xx += weight * x * x
      self.y += weight * y
      self.xy += weight * x * y
    }

    mutating func scale(by factor: Double) {
      weight *= factor
      x *= factor
      xx *= factor
      y *= factor
      xy *= factor
    }
  }

  /// A prior: the expected value and its standard deviation.
  struct Prior: Hashable, Sendable {
    var value, deviation: Double
    var weight: Double { 1 / (deviation * deviation) }
  }

  struct Solution: Hashable, Sendable {
    var offsets: [Double]
    var level, exponent: Double
  }

  var sums: [Sums]
  var offset, level, exponent: Prior

  func solution() -> Solution {
    // The two common equations, less the part that the transmitters' own unknowns explain.
    var (a, b, c) = (level.weight, 0.0, exponent.weight)
    var (u, v) = (level.weight * level.value, exponent.weight * exponent.value)
    for sum in sums where sum.weight > 0 {
      let own = sum.weight + offset.weight
      let y = sum.y + offset.weight * offset.value
      a += sum.weight - sum.weight * sum.weight / own
      b += sum.x - sum.weight * sum.x / own
      c += sum.xx - sum.x * sum.x / own
      u += sum.y - sum.weight * y / own
      v += sum.xy - sum.x * y / own
    }
    let determinant = a * c - b * b
    let (level, exponent) = ((c * u - b * v) / determinant, (a * v - b * u) / determinant)
    let offsets = sums.map { sum in
      (sum.y + offset.weight * offset.value - sum.weight * level - sum.x * exponent) / (sum.weight + offset.weight)
    }
    return Solution(offsets: offsets, level: level, exponent: exponent)
  }
}

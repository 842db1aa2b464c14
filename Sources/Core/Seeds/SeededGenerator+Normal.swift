import RealModule

extension SeededGenerator {
  /// Returns a number of the standard normal distribution (Box and Muller, 1958).
  public mutating func normal() -> Double {
    let radius = (-2 * Double.log(1 - .random(in: 0..<1, using: &self))).squareRoot()
    return radius * .cos(2 * .pi * .random(in: 0..<1, using: &self))
  }
}

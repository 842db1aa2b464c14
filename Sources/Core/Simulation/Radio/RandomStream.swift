/// A random number generator that gives the same numbers for the same seed on every machine.
///
/// SplitMix64: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014. The numbers below use only operations that
/// IEEE 754 defines to the last bit, which excludes a C library's logarithm and cosine.
struct RandomStream: Sendable {
  private var state: UInt64
  /// The second number of a pair of normal numbers.
  private var spare: Double?

  init(seed: UInt64) {
    state = seed
  }

  /// Creates an independent stream for each object of a scenario.
  /// Adding or removing one object does not change the numbers of the others.
  init(seed: UInt64, _ purpose: Purpose, _ first: Int = 0, _ second: Int = 0) {
    state = seed
    for part in [purpose.rawValue, UInt64(truncatingIfNeeded: first), UInt64(truncatingIfNeeded: second)] {
      state = word() ^ part &* 0xD6E8_FEB8_6659_FD93
    }
  }

  enum Purpose: UInt64 {
    case timing = 1
    case fading
    case loss
    case shadowing
    case crowd
    case payload
    case fixes
    case reception
    case power
    case walking
  }

  mutating func word() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a uniform number from 0 to below 1, a multiple of 2⁻⁵³.
  mutating func uniform() -> Double { Double(word() >> 11) * 0x1p-53 }

  mutating func uniform(in range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * uniform()
  }

  mutating func happens(_ probability: Double) -> Bool { uniform() < probability }

  /// Returns a normal number of mean 0 and variance 1, by the polar method.
  /// Marsaglia and Bray, "A Convenient Method for Generating Normal Variables", 1964.
  mutating func normal() -> Double {
    if let number = spare {
      spare = nil
      return number
    }
    while true {
      let (x, y) = (2 * uniform() - 1, 2 * uniform() - 1)
      let square = x * x + y * y
      guard square < 1, square > 0 else { continue }
      let factor = (-2 * square.naturalLogarithm / square).squareRoot()
      spare = y * factor
      return x * factor
    }
  }

  /// Returns a duration with a constant probability of ending at any moment, whatever its age.
  mutating func exponential(mean: Double) -> Double { -mean * (1 - uniform()).naturalLogarithm }
}

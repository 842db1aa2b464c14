/// The fast fading of single advertisements: many paths that add up or cancel out, and the direct one.
///
/// Rice's distribution: Rappaport, Wireless Communications, section 5.6. The fade of each advertisement is independent, because the
/// beacon and people move, and the three advertising channels fade independently.
public struct RicianFading: Hashable, Sendable {
  /// The power of the direct path divided by that of all others: 0 is Rayleigh's distribution, 1000 hardly fades.
  public let factor: Double

  /// Fading of 4.4 dB deviation; single samples on the gallery walks have 4 dB.
  public static let usual = RicianFading(factor: 2)

  public init(factor: Double) {
    self.factor = factor
  }

  /// Returns a random fade in dB, of a power whose mean is 1.
  func fade(_ random: inout RandomStream) -> Double {
    let direct = (factor / (factor + 1)).squareRoot()
    let scattered = (0.5 / (factor + 1)).squareRoot()
    let (x, y) = (direct + scattered * random.normal(), scattered * random.normal())
    return Swift.max(x * x + y * y, 1e-9).decibels
  }
}

/// The fast change of what one advertisement is heard with: many paths that add up or cancel out, beside the direct one.
///
/// Rice's distribution: Rappaport, Wireless Communications, section 5.6. Every advertisement gets a fade of its own: the beacon moves, people do, and the three
/// advertising channels fade apart.
public struct RicianFading: Hashable, Sendable {
  /// The power of the direct path over that of all others: 0 is Rayleigh's distribution, 1000 hardly fades at all.
  public let factor: Double

  /// Of 4.4 dB deviation; single samples on the gallery walks have 4.
  public static let usual = RicianFading(factor: 2)

  public init(factor: Double) {
    self.factor = factor
  }

  /// In dB, of a power whose mean is 1.
  func fade(_ random: inout RandomStream) -> Double {
    let direct = (factor / (factor + 1)).squareRoot()
    let scattered = (0.5 / (factor + 1)).squareRoot()
    let (x, y) = (direct + scattered * random.normal(), scattered * random.normal())
    return Swift.max(x * x + y * y, 1e-9).decibels
  }
}

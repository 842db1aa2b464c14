/// The radio propagation in a venue.
public struct RadioModel: Hashable, Sendable {
  /// The exponent n of the log-distance model.
  /// It is 2 in free space, and 2.7 to 3 in shops and houses. Rappaport, Wireless Communications, section 4.9.
  public var pathLossExponent: Double
  /// One sigma of shadowing in dB: 3 to 6 behind soft partitions and in shops (Rappaport, table 4.6).
  public var shadowing: Double
  /// The distance in metres after which shadowing is independent: 1 to 2 indoors, the size of furniture.
  public var shadowingDistance: Double
  /// The attenuation in dB from one level to the next: 15 to 20 for concrete (Rappaport, table 4.5).
  public var floorAttenuation: Double
  /// The difference between the true powers of beacons and those in the scenario in dB, one sigma.
  public var beaconSpread: Double
  public var fading: RicianFading
  /// The loss of every beacon without a loss of its own.
  public var loss: BurstLoss

  public init(
    pathLossExponent: Double = 2.7, shadowing: Double = 4, shadowingDistance: Double = 2, floorAttenuation: Double = 15,
    beaconSpread: Double = 0, fading: RicianFading = .usual,
    loss: BurstLoss = .none
  ) {
    self.pathLossExponent = pathLossExponent
    self.shadowing = shadowing
    self.shadowingDistance = shadowingDistance
    self.floorAttenuation = floorAttenuation
    self.beaconSpread = beaconSpread
    self.fading = fading
    self.loss = loss
  }

  /// The shortest distance in metres, because the model applies to the far field: a wavelength of 2.4 GHz is 0.125 m.
  private static let shortestDistance = 0.1

  /// Returns the path loss in dB relative to 1 m.
  func pathLoss(metres: Double) -> Double {
    pathLossExponent * Swift.max(metres, Self.shortestDistance).decibels
  }

  /// Returns the RSSI that a controller reports for a level in dBm: whole dBm, and never the value for "not available".
  static func rssi(_ level: Double) -> Int8 {
    Int8(Swift.max(-127, Swift.min(20, level)).rounded())
  }
}

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

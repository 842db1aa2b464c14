/// How what a beacon sends becomes what an adapter hears, for a whole venue.
public struct RadioModel: Hashable, Sendable {
  /// n of the log-distance model: 2 in free space, 2.7 to 3 in shops and houses. Rappaport, Wireless Communications, section 4.9.
  public var pathLossExponent: Double
  /// One sigma in dB of what stands in the way: 3 to 6 behind soft partitions and in shops (Rappaport, table 4.6).
  public var shadowing: Double
  /// Metres after which shadowing is another: 1 to 2 indoors, the size of furniture.
  public var shadowingDistance: Double
  public var fading: RicianFading
  /// Of every beacon that has no loss of its own.
  public var loss: BurstLoss

  public init(
    pathLossExponent: Double = 2.7, shadowing: Double = 4, shadowingDistance: Double = 2, fading: RicianFading = .usual,
    loss: BurstLoss = .none
  ) {
    self.pathLossExponent = pathLossExponent
    self.shadowing = shadowing
    self.shadowingDistance = shadowingDistance
    self.fading = fading
    self.loss = loss
  }

  /// The model holds where the field is far: a wavelength of 2.4 GHz is 0.125 m.
  private static let shortestDistance = 0.1

  /// What distance takes, in dB relative to 1 m.
  func pathLoss(metres: Double) -> Double {
    pathLossExponent * Swift.max(metres, Self.shortestDistance).decibels
  }

  /// The RSSI a controller reports for a level in dBm: whole dBm, never what means "not available".
  static func rssi(_ level: Double) -> Int8 {
    Int8(Swift.max(-127, Swift.min(20, level)).rounded())
  }
}

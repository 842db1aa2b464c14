import RealModule

/// The log-distance path-loss model: d = 10^((P₁ₘ − RSSI) / (10 n)) metres. Rappaport, Wireless Communications, section 4.9.
public struct PathLossModel: Hashable, Sendable {
  /// Of ln d, per dB: the share by which a distance is wrong for each dB of the level.
  public let slope: Double

  /// - Parameter exponent: n: 2.0 in free space, 2.7 to 3 behind shelves and walls.
  public init(exponent: Double = 2.0) {
    slope = Double.log(10) / (10 * exponent)
  }

  /// `rssi` in dBm, `referencePower` in dBm at 1 m.
  public func distance(rssi: Double, referencePower: Double) -> Distance {
    Distance(logarithm: (referencePower - rssi) * slope)
  }
}

extension PathLossModel {
  /// Measured powers that a beacon can honestly send. Some makers put zero, a battery level or a voltage there, and distances of
  /// thousands of kilometres follow (AltBeacon issues 838 and 938).
  public static func isPlausible(measuredPower: Int8) -> Bool {
    measuredPower >= -100 && measuredPower <= -20
  }
}

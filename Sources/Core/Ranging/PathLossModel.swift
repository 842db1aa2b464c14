import RealModule

/// The log-distance path-loss model: d = 10^((P₁ₘ − RSSI) / (10 n)) metres.
/// The source is Rappaport, Wireless Communications, section 4.9.
public struct PathLossModel: Hashable, Sendable {
  /// The change of ln d per dB: the relative error of a distance for each dB of error in the level.
  public let slope: Double

  /// The exponent of free space.
  public static let usualExponent = 2.0

  /// Creates a model.
  ///
  /// - Parameter exponent: n: 2.0 in free space, 2.7 to 3 behind shelves and walls.
  public init(exponent: Double = usualExponent) {
    slope = Double.log(10) / (10 * exponent)
  }

  /// Returns the distance for `rssi` in dBm and `referencePower` in dBm at 1 m.
  public func distance(rssi: Double, referencePower: Double) -> Distance {
    Distance(logarithm: (referencePower - rssi) * slope)
  }
}

extension PathLossModel {
  /// Returns whether a beacon can really have this measured power.
  /// Some makers advertise zero, a battery level or a voltage instead, which gives distances of thousands of kilometres (AltBeacon issues
  /// 838 and 938).
  public static func isPlausible(measuredPower: Int8) -> Bool {
    measuredPower >= -100 && measuredPower <= -20
  }
}

/// The learned deviation of one adapter's RSSI from the plan.
public struct RadioCorrection: Hashable, Sendable {
  /// The offset of all levels in dB.
  public var level: Double
  /// The deviation of the path-loss exponent.
  public var exponent: Double
  /// The offset in dB of each transmitter; empty if there are none.
  public var offsets: [Double]

  public init(level: Double = 0, exponent: Double = 0, offsets: [Double] = []) {
    self.level = level
    self.exponent = exponent
    self.offsets = offsets
  }

  /// Returns the dB by which the adapter receives a transmitter louder than path loss predicts.
  public func offset(of transmitter: Int) -> Double { level + (offsets.isEmpty ? 0 : offsets[transmitter]) }
}

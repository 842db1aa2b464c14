/// The adapters whose level is known, because the configuration states their offset.
public struct IndoorCalibration: Hashable, Sendable {
  /// Whether all adapters are calibrated.
  public var isForAll: Bool
  public var adapters: Set<UInt16>

  public init(isForAll: Bool = false, adapters: Set<UInt16> = []) {
    (self.isForAll, self.adapters) = (isForAll, adapters)
  }

  /// Returns the level in dB with which an adapter starts.
  func level(of adapter: UInt16) -> Double { isForAll || adapters.contains(adapter) ? 0 : RadioLearner.unknownLevel }
}

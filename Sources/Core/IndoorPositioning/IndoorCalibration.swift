/// The adapters whose level is known, because the configuration states their offset.
public struct IndoorCalibration: Hashable, Sendable {
  /// Whether all adapters are calibrated.
  public var isForAll: Bool
  public var adapters: Set<UInt16>

  public init(isForAll: Bool = false, adapters: Set<UInt16> = []) {
    (self.isForAll, self.adapters) = (isForAll, adapters)
  }

  /// Returns whether the level of an adapter is known.
  func contains(_ adapter: UInt16) -> Bool { isForAll || adapters.contains(adapter) }
}

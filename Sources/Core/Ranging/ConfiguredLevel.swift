/// The configured level of an adapter.
public struct ConfiguredLevel: Hashable, Sendable {
  /// The offset in dB that is added to the RSSI of the adapter.
  public var offset: Double
  /// Whether the configuration states the offset, zero or not, so that the level counts as known.
  public var isCalibrated: Bool

  public init(offset: Double = 0, isCalibrated: Bool = false) {
    (self.offset, self.isCalibrated) = (offset, isCalibrated)
  }
}

extension RangingSettings {
  /// Returns the configured level of an adapter: the offset of all adapters and its own.
  public func level(of adapter: UInt16) -> ConfiguredLevel {
    ConfiguredLevel(
      offset: rssiOffset + (adapterOffsets[adapter] ?? 0), isCalibrated: isCalibrated || calibratedAdapters.contains(adapter))
  }
}

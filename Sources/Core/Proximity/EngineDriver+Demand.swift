import Ranging
import Regions

extension EngineDriver {
  /// Strength is wanted by whoever ranges or scans and by regions that are entered near a beacon; for the others being heard is enough.
  public var demand: HearingDemand {
    if scan != nil || !engine.rangedConstraints.isEmpty { return .strength }
    guard engine.isScanWorthwhile else { return .nothing }
    if engine.watches(where: { $0.nearness != nil || $0.minimumRSSI != nil }) { return .strength }
    return engine.beaconRegionCount == 0 ? .nothing : .presence
  }
}

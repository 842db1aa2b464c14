import Ranging
import Regions

extension EngineDriver {
  /// The detail in which the engine must hear beacons.
  /// Ranging, scans and regions that require nearness or an RSSI need strength. Other regions need presence.
  public var demand: HearingDemand {
    if scan != nil || !engine.rangedConstraints.isEmpty { return .strength }
    guard engine.isScanWorthwhile else { return .nothing }
    if engine.watches(where: { $0.nearness != nil || $0.minimumRSSI != nil }) { return .strength }
    return engine.beaconRegionCount == 0 ? .nothing : .presence
  }
}

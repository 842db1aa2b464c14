import Ranging
import Regions

extension EngineDriver {
  /// The detail in which the engine must hear beacons.
  /// Ranging, scans and regions that require nearness or an RSSI need strength. So does the indoor position while a planned beacon is heard. Other regions, and a
  /// venue that is not heard, need presence.
  public var demand: HearingDemand {
    if scan != nil || !engine.rangedConstraints.isEmpty { return .strength }
    guard engine.isScanWorthwhile else { return .nothing }
    if isTracking, tracker?.isAwake == true { return .strength }
    if engine.watches(where: { $0.nearness != nil || $0.minimumRSSI != nil }) { return .strength }
    return engine.beaconRegionCount == 0 && !isTracking ? .nothing : .presence
  }
}

import Ranging
import Regions

extension EngineDriver {
  /// Distances are wanted by whoever ranges or scans and by regions that are entered near a beacon; for the others being heard is enough.
  public var demand: HearingDemand {
    if scan != nil || !engine.rangedConstraints.isEmpty { return .strength }
    let watches = engine.watches
    if watches.contains(where: { $0.region.nearness != nil }) { return .strength }
    return watches.isEmpty ? .nothing : .presence
  }
}

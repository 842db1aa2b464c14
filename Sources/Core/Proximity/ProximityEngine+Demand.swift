import Ranging
import Regions

extension ProximityEngine {
  /// Distances are wanted by whoever ranges and by regions that are entered near a beacon; for the others being heard is enough.
  public var demand: HearingDemand {
    if !rangedConstraints.isEmpty { return .strength }
    let watches = watches
    if watches.contains(where: { $0.region.nearness != nil }) { return .strength }
    return watches.isEmpty ? .nothing : .presence
  }
}

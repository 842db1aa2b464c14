import Ranging

public struct EngineSettings: Hashable, Sendable {
  public var ranging: RangingSettings
  /// Whether the engine monitors a wildcard region for every UUID that is heard, named after the UUID.
  public var watchesEveryUUID: Bool
  /// The maximum number of beacons that are kept, and of regions that `watchesEveryUUID` creates.
  public var capacity: Int

  public init(ranging: RangingSettings = RangingSettings(), watchesEveryUUID: Bool = false, capacity: Int = 4096) {
    self.ranging = ranging
    self.watchesEveryUUID = watchesEveryUUID
    self.capacity = capacity
  }
}

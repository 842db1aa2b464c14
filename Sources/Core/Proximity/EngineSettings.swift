import Ranging

public struct EngineSettings: Hashable, Sendable {
  public var ranging: RangingSettings
  /// Watch a wildcard region for every UUID that is heard, named after it.
  public var watchesEveryUUID: Bool
  /// The most beacons that are kept at once, and the most regions that `watchesEveryUUID` makes.
  public var capacity: Int

  public init(ranging: RangingSettings = RangingSettings(), watchesEveryUUID: Bool = false, capacity: Int = 4096) {
    self.ranging = ranging
    self.watchesEveryUUID = watchesEveryUUID
    self.capacity = capacity
  }
}

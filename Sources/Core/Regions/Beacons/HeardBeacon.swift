import Ranging

/// A beacon's track and the regions that the beacon belongs to, found once and kept with it.
public struct HeardBeacon: Sendable {
  public var track: BeaconTrack
  var matches: [Match] = []

  public init(_ track: BeaconTrack) {
    self.track = track
  }

  /// One region of the table, and how the beacon stands to it.
  struct Match: Hashable, Sendable {
    let slot: Int32
    let serial: UInt32
    /// Only for a region that asks for nearness.
    var approach: Rare<Approach>
  }

  public var isInRegion: Bool { !matches.isEmpty }
}

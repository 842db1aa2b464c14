import Ranging

/// A beacon's track and the regions that the beacon belongs to, which are found once and kept.
public struct HeardBeacon: Sendable {
  public var track: BeaconTrack
  var matches: [Match] = []

  public init(_ track: BeaconTrack) {
    self.track = track
  }

  /// A region of the table and the progress of the beacon in it.
  struct Match: Hashable, Sendable {
    let slot: Int32
    let serial: UInt32
    /// The beacon's progress; empty unless the region requires nearness.
    var approach: BoxedOptional<Approach>
  }

  public var isInRegion: Bool { !matches.isEmpty }
}

/// The state of a device, which it sends after each connection, after a change, and after each interval.
public struct DeviceReport: Hashable, Sendable {
  /// The longest time between two reports in seconds. A device without beacons in range sends nothing else.
  public static let interval: Int64 = 300
  /// The silence in seconds after which a device counts as silent.
  ///
  /// This is an interval, the 60 s between two checks whether a report is due, and as much for the way to the hub.
  public static let longestSilence: Int64 = 420

  /// The largest number of problems in a report.
  public static let maximumProblems = 16
  /// The largest number of acknowledgements in a report.
  public static let maximumAcknowledged = 16

  /// The version of beaconmon, at most 64 octets.
  public var version: String
  /// The revision of the rolled-out configuration that is in use, confirmed or on trial; 0 if there is none.
  public var revision: Int64
  /// The SHA-256 of the effective configuration, 32 octets; nil if it is unknown.
  public var configuration: [UInt8]?
  /// Octets that are free where the device stores its state; nil if this is unknown.
  public var freeSpace: Int64?
  /// Digests that the device discarded for want of a connection, since the beginning of the numbering.
  public var droppedDigests: Int64
  /// Whether the clock is synchronised; nil if the device cannot tell.
  public var isClockSynchronised: Bool?
  /// The problems in the words of `beaconmon status`, at most 128 octets each.
  public var problems: [String]
  /// The numbers of messages of the hub that the device has handled since the report before.
  public var acknowledged: [Int64]
  /// The rollout that the device has received last; nil if there is none.
  public var rollout: RolloutReport?

  public init(
    version: String, revision: Int64 = 0, configuration: [UInt8]? = nil, freeSpace: Int64? = nil, droppedDigests: Int64 = 0,
    isClockSynchronised: Bool? = nil, problems: [String] = [], acknowledged: [Int64] = [],
    rollout: RolloutReport? = nil
  ) {
    (self.version, self.revision, self.configuration, self.freeSpace) = (version, revision, configuration, freeSpace)
    (self.droppedDigests, self.isClockSynchronised) = (droppedDigests, isClockSynchronised)
    (self.problems, self.acknowledged, self.rollout) = (problems, acknowledged, rollout)
  }
}

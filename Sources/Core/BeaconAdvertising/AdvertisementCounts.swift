import Records

/// Counts of everything that a source delivered, by outcome.
///
/// Two sums always hold: `packets == events + passedOver + malformed[.eventLength]`, and once the source has ended `reports ==
/// kinds.total + joinedFragments + droppedFragments`.
public struct AdvertisementCounts: Equatable, Sendable {
  /// HCI packets of any type; in a capture, its records.
  public var packets = 0
  /// LE advertising report events, legacy and extended.
  public var events = 0
  /// Packets without advertising reports.
  public var passedOver = 0
  /// Advertising reports in the events, fragments included.
  public var reports = 0
  /// Sightings; more than `kinds[.iBeacon]` if an advertisement carries several.
  public var iBeacons = 0
  /// Complete advertisements, each counted once.
  public var kinds = Tally<AdvertisementKind>()
  /// Broken rules, at most one for each event and each advertisement.
  public var malformed = Tally<MalformedReason>()
  /// Extended reports that were joined into an advertisement that a later report completed.
  public var joinedFragments = 0
  /// Extended reports whose advertisement was never completed, or was too long.
  public var droppedFragments = 0
  /// Packets with an earlier timestamp than a packet before them; the decoder replaces it by the latest time.
  public var heldTimes = 0
  /// Packets that the kernel dropped because they were not read in time.
  /// In a capture, the packets that the recorder reports as lost. They are in no other count.
  public var lostPackets = 0

  @inlinable
  public init() {}

  public static func += (counts: inout AdvertisementCounts, other: AdvertisementCounts) {
    counts.packets += other.packets
    counts.events += other.events
    counts.passedOver += other.passedOver
    counts.reports += other.reports
    counts.iBeacons += other.iBeacons
    counts.kinds += other.kinds
    counts.malformed += other.malformed
    counts.joinedFragments += other.joinedFragments
    counts.droppedFragments += other.droppedFragments
    counts.heldTimes += other.heldTimes
    counts.lostPackets += other.lostPackets
  }
}

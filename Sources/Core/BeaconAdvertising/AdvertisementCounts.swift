import Records

/// What became of everything a source delivered.
///
/// Two sums always hold: `packets == events + passedOver + malformed[.eventLength]`, and once the source has ended
/// `reports == kinds.total + joinedFragments + droppedFragments`.
public struct AdvertisementCounts: Equatable, Sendable {
  /// HCI packets, of whatever type; in a capture, its records.
  public var packets = 0
  /// LE advertising report events, legacy and extended.
  public var events = 0
  /// Packets that carry no advertising reports.
  public var passedOver = 0
  /// Advertising reports in the events, fragments included.
  public var reports = 0
  /// Sightings; more than `kinds[.iBeacon]` when an advertisement carries several.
  public var iBeacons = 0
  /// Whole advertisements, each counted once.
  public var kinds = Tally<AdvertisementKind>()
  /// Broken rules, at most one for each event and each advertisement.
  public var malformed = Tally<MalformedReason>()
  /// Extended reports that became part of an advertisement that a later report completed.
  public var joinedFragments = 0
  /// Extended reports whose advertisement was never completed, or was too long.
  public var droppedFragments = 0
  /// Packets stamped earlier than one before them, and therefore held at the latest time.
  public var heldTimes = 0
  /// Packets that nobody read in time and the kernel threw away, or that the recorder of a capture says it has lost. They are in no other count.
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

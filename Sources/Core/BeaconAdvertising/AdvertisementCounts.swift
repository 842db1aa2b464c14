import Records

/// Counts of everything that a source delivered, by outcome.
///
/// Only the outcomes are stored, because a decoder counts each of millions of packets: `packets` and `reports` are sums of them.
public struct AdvertisementCounts: Equatable, Sendable {
  /// LE advertising report events, legacy and extended.
  public var events = 0
  /// Packets without advertising reports.
  public var passedOver = 0
  /// Sightings by format; more than `kinds` has if an advertisement carries several beacons.
  public var beacons = Tally<BeaconFormat>()
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

  /// The sightings of iBeacons.
  public var iBeacons: Int { beacons[.iBeacon] }
  /// The sightings of AltBeacons.
  public var altBeacons: Int { beacons[.altBeacon] }

  /// HCI packets of any type; in a capture, its records.
  public var packets: Int { events + passedOver + malformed[.eventLength] }

  /// Advertising reports in the events, without those of an advertisement that is not complete yet.
  public var reports: Int { kinds.total + joinedFragments + droppedFragments }

  public static func += (counts: inout AdvertisementCounts, other: AdvertisementCounts) {
    counts.events += other.events
    counts.passedOver += other.passedOver
    counts.beacons += other.beacons
    counts.kinds += other.kinds
    counts.malformed += other.malformed
    counts.joinedFragments += other.joinedFragments
    counts.droppedFragments += other.droppedFragments
    counts.heldTimes += other.heldTimes
    counts.lostPackets += other.lostPackets
  }
}

import Records

/// The counts of a source's advertisements, as clients see them.
public struct AdvertisementStatistics: RecordRepresentable, Hashable {
  public var advertisements: UInt64?
  public var iBeacons: UInt64?
  /// Nil if there are none.
  public var altBeacons: UInt64?
  /// The kinds that occurred.
  public var kinds: NamedCounts?
  /// The reasons that occurred, for advertisements and for events that were broken as a whole.
  public var malformed: NamedCounts?
  /// Nil if there are none, as the following counts.
  public var joinedFragments: UInt64?
  public var droppedFragments: UInt64?
  public var heldTimes: UInt64?
  public var lostPackets: UInt64?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("advertisements", \.advertisements),
    RecordField("iBeacons", \.iBeacons),
    RecordField("altBeacons", \.altBeacons),
    RecordField("kinds", \.kinds),
    RecordField("malformed", \.malformed),
    RecordField("joinedFragments", \.joinedFragments),
    RecordField("droppedFragments", \.droppedFragments),
    RecordField("heldTimes", \.heldTimes),
    RecordField("lostPackets", \.lostPackets),
  ]
}

extension AdvertisementCounts {
  /// The counts for clients; kinds and reasons that did not occur are absent.
  public var statistics: AdvertisementStatistics {
    func count(_ number: Int) -> UInt64? { number == 0 ? nil : UInt64(number) }
    var statistics = AdvertisementStatistics()
    (statistics.advertisements, statistics.iBeacons) = (UInt64(kinds.total), UInt64(iBeacons))
    statistics.altBeacons = count(altBeacons)
    (statistics.kinds, statistics.malformed) = (kinds.counts, malformed.counts)
    (statistics.joinedFragments, statistics.droppedFragments) = (count(joinedFragments), count(droppedFragments))
    (statistics.heldTimes, statistics.lostPackets) = (count(heldTimes), count(lostPackets))
    return statistics
  }
}

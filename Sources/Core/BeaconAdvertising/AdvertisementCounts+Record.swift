import Records

extension AdvertisementCounts {
  /// The counts for clients; kinds and reasons that did not occur are absent.
  public var record: Record {
    Record([
      "advertisements": .count(UInt64(kinds.total)),
      "iBeacons": .count(UInt64(iBeacons)),
      "altBeacons": beacons[.altBeacon] == 0 ? nil : .count(UInt64(beacons[.altBeacon])),
      "kinds": .record(kinds.record),
      "malformed": .record(malformed.record),
      "joinedFragments": joinedFragments == 0 ? nil : .count(UInt64(joinedFragments)),
      "droppedFragments": droppedFragments == 0 ? nil : .count(UInt64(droppedFragments)),
      "heldTimes": heldTimes == 0 ? nil : .count(UInt64(heldTimes)),
      "lostPackets": lostPackets == 0 ? nil : .count(UInt64(lostPackets)),
    ])
  }
}

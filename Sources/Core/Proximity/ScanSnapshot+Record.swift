import BeaconAdvertising
import Beacons
import Instants
import Records

extension ScanSnapshot {
  /// Returns the snapshot as the output of every program shows it.
  ///
  /// - Parameter kinds: the kinds of all advertisements since the scan began, of beacons or not.
  public func record(kinds: Tally<AdvertisementKind>, wallClock: (Instant) -> Instant = { $0 }) -> Record {
    Record([
      "time": .time(wallClock(time)),
      "since": .time(wallClock(start)),
      "uuids": .list(uuids.map { $0.record(wallClock) }),
      "uuidCount": .count(UInt64(uuidCount)),
      "beaconCount": .count(UInt64(beaconCount)),
      "forgotten": forgotten == 0 ? nil : .count(UInt64(forgotten)),
      "unlisted": unlisted == 0 ? nil : .count(UInt64(unlisted)),
      "advertisements": .count(UInt64(kinds.total)),
      "kinds": .record(kinds.record),
    ])
  }
}

extension ScannedUUID {
  fileprivate func record(_ wallClock: (Instant) -> Instant) -> Record {
    Record([
      "uuid": .text(uuid.description),
      "count": .count(UInt64(count)),
      "rssi": strongest.rssi.map { .rssi($0) },
      "distance": strongest.distance.map { .metres($0) },
      "rate": .quantity(rate, decimals: 1),
      "lastSeen": .time(wallClock(lastSeen)),
      "beacons": .list(beacons.map { $0.record(wallClock) }),
    ])
  }
}

extension ScannedBeacon {
  fileprivate func record(_ wallClock: (Instant) -> Instant) -> Record {
    Record([
      "major": .short(beacon.major),
      "minor": .short(beacon.minor),
      "rssi": rssi.map { .rssi($0) },
      "distance": distance.map { .metres($0) },
      "rate": .quantity(rate, decimals: 1),
      "lastSeen": .time(wallClock(lastSeen)),
    ])
  }
}

import BeaconAdvertising
import Beacons
import Instants
import Ranging
import Records

extension ScanSnapshot {
  /// Returns the snapshot for clients.
  ///
  /// - Parameter kinds: the kinds of all advertisements since the scan began, of beacons or not.
  public func report(kinds: Tally<AdvertisementKind>, wallClock: (Instant) -> Instant = { $0 }) -> ScanReport {
    var report = ScanReport()
    (report.time, report.since, report.uuids) = (wallClock(time), wallClock(start), uuids.map { $0.report(wallClock) })
    (report.uuidCount, report.beaconCount) = (UInt64(uuidCount), UInt64(beaconCount))
    report.forgotten = forgotten == 0 ? nil : UInt64(forgotten)
    report.unlisted = unlisted == 0 ? nil : UInt64(unlisted)
    (report.advertisements, report.kinds) = (UInt64(kinds.total), kinds.counts)
    return report
  }
}

extension ScannedUUID {
  fileprivate func report(_ wallClock: (Instant) -> Instant) -> ScanReport.Group {
    var report = ScanReport.Group()
    (report.uuid, report.count, report.rssi, report.distance) = (uuid, UInt64(count), strongest.rssi, strongest.distance)
    (report.rate, report.lastSeen, report.beacons) = (rate, wallClock(lastSeen), beacons.map { $0.report(wallClock) })
    return report
  }
}

extension ScannedBeacon {
  fileprivate func report(_ wallClock: (Instant) -> Instant) -> ScanReport.Beacon {
    var report = ScanReport.Beacon()
    (report.major, report.minor, report.rssi, report.distance) = (beacon.major, beacon.minor, rssi, distance)
    (report.rate, report.lastSeen) = (rate, wallClock(lastSeen))
    return report
  }
}

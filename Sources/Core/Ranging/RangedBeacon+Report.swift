import Beacons
import Instants

extension RangedBeacon {
  /// Returns the beacon for clients.
  public func report(wallClock: (Instant) -> Instant = { $0 }) -> BeaconReport {
    var report = BeaconReport()
    (report.uuid, report.major, report.minor, report.proximity) = (beacon.uuid, beacon.major, beacon.minor, proximity)
    (report.distance, report.accuracy, report.rssi, report.rate) = (distance, accuracy, rssi, rate)
    (report.lastSeen, report.distanceMethod) = (wallClock(lastSeen), distanceMethod)
    return report
  }
}

import Beacons
import Instants
import Ranging
import Venues

// The names that venues give to beacons.

extension MonitoringService {
  /// Returns the id and the name of the place that a beacon stands for; nil for a beacon without a place.
  func place(of beacon: BeaconIdentity) -> (id: String, name: String)? {
    catalogue.place(of: beacon).map { ($0.id, $0.name(preferring: languages)) }
  }

  /// Returns a ranged beacon for clients, with the name of its place.
  public func report(_ beacon: RangedBeacon) -> BeaconReport {
    var report = beacon.report(wallClock: wallClock)
    if let place = place(of: beacon.beacon) { (report.placeID, report.place) = place }
    return report
  }
}

import Beacons
import Instants
import Locations
import Ranging
import Venues

// The names that venues give to beacons.

extension MonitoringService {
  /// Returns the id and the name of the place that a beacon stands for; nil for a beacon without a place.
  func place(of beacon: BeaconIdentity) -> (id: String, name: String)? {
    catalogue.place(of: beacon).map { ($0.id, $0.name(preferring: languages)) }
  }

  /// Returns a location for clients, with its age and the names of its place.
  ///
  /// - Parameters:
  ///   - now: on the clock of `received`.
  ///   - locale: the language of the client; nil selects that of the daemon.
  ///   - hidesOwnPlaces: whether to leave out the places that the owner of the device names, and to use only those of venues.
  public func report(_ location: Location, at now: Instant, locale: String?, hidesOwnPlaces: Bool = false) -> LocationReport {
    var report = location.report(at: now)
    // A device that does not move is where its owner says, even without an accuracy.
    let accuracy = location.horizontalAccuracy ?? (location.end == .never ? 0 : nil)
    let preferred = (locale.map(LocalizedText.languages(ofLocale:)) ?? []) + languages
    let names = catalogue.placemark(
      at: location.coordinate, floor: location.floor, accuracy: accuracy, preferring: preferred, hidesOwnPlaces: hidesOwnPlaces)
    guard let names else { return report }
    (report.description, report.place, report.placeID) = (names.description, names.place, names.placeID)
    (report.level, report.levelName, report.venue, report.venueName) = (names.level, names.levelName, names.venue, names.venueName)
    return report
  }

  /// Returns a ranged beacon for clients, with the name of its place.
  public func report(_ beacon: RangedBeacon) -> BeaconReport {
    var report = beacon.report(wallClock: wallClock)
    if let place = place(of: beacon.beacon) { (report.placeID, report.place) = place }
    return report
  }
}

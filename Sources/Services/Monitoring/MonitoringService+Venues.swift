import BeaconHealth
import Beacons
import Geocoding
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
  ///   - wanted: the accuracy in metres that the client requests, for an address.
  public func report(
    _ location: Location, at now: Instant, locale: String?, hidesOwnPlaces: Bool = false, wanted: Double = 0
  ) -> LocationReport {
    var report = location.report(at: now)
    guard let names = placemark(of: location, locale: locale, hidesOwnPlaces: hidesOwnPlaces) else {
      if let query = addressQuery(for: location, locale: locale, wanted: wanted), let address = geocoding?.knownAddress(query) {
        report.take(address)
      }
      return report
    }
    (report.description, report.place, report.placeID) = (names.description, names.place, names.placeID)
    (report.level, report.levelName, report.venue, report.venueName) = (names.level, names.levelName, names.venue, names.venueName)
    return report
  }

  /// Returns the names that venues and the owner of the device give to a location; nil if there are none.
  func placemark(of location: Location, locale: String?, hidesOwnPlaces: Bool = false) -> Placemark? {
    // A device that does not move is where its owner says, even without an accuracy.
    let accuracy = location.horizontalAccuracy ?? (location.end == .never ? 0 : nil)
    return catalogue.placemark(
      at: location.coordinate, floor: location.floor, accuracy: accuracy, preferring: preferredLanguages(locale),
      hidesOwnPlaces: hidesOwnPlaces)
  }

  /// Returns the languages of a client, and then those of the daemon.
  func preferredLanguages(_ locale: String?) -> [String] { (locale.map(LocalizedText.languages(ofLocale:)) ?? []) + languages }

  /// Returns a ranged beacon for clients, with the name of its place.
  public func report(_ beacon: RangedBeacon) -> BeaconReport {
    var report = beacon.report(wallClock: wallClock)
    if let place = place(of: beacon.beacon) { (report.placeID, report.place) = place }
    (report.battery, report.temperature) = health.telemetry(of: beacon.beacon)
    return report
  }
}

internal import Locations

/// The names of a location in words. Core Location's CLPlacemark.
///
/// The service names a place only if the location lies in it and is accurate enough.
public struct Placemark: Hashable, Sendable, CustomStringConvertible {
  /// All names in one line, such as `Room 5, Ground floor, Gallery`, or the address.
  public let description: String
  /// The name of the place: in a venue, or of a `[[place]]` of the service's config.
  public let place: String?
  /// The id of the place in its venue, as in `Place.placeID`.
  public let placeID: String?
  /// The id of the level.
  public let level: String?
  public let levelName: String?
  /// The id of the venue; nil outside the venues.
  public let venue: String?
  public let venueName: String?
  /// The name of the building.
  ///
  /// This part of the address and the following ones are for a location at no known place, and need a server of addresses in the
  /// service's config. A part is nil if it is unknown, or more precise than the accuracy that was requested.
  public let name: String?
  /// The street.
  public let thoroughfare: String?
  /// The number in the street.
  public let subThoroughfare: String?
  /// The city, town or village.
  public let locality: String?
  /// The district of the city.
  public let subLocality: String?
  /// The state.
  public let administrativeArea: String?
  /// The county.
  public let subAdministrativeArea: String?
  public let postalCode: String?
  public let country: String?
  /// The code of the country by ISO 3166-1, in capitals.
  public let isoCountryCode: String?
}

extension Placemark {
  /// Creates the names of a location; nil if it has none.
  init?(_ report: LocationReport) {
    guard let description = report.description else { return nil }
    let address = report.address
    self.init(
      description: description, place: report.place, placeID: report.placeID, level: report.level, levelName: report.levelName,
      venue: report.venue, venueName: report.venueName, name: address.name, thoroughfare: address.thoroughfare,
      subThoroughfare: address.subThoroughfare, locality: address.locality, subLocality: address.subLocality,
      administrativeArea: address.administrativeArea, subAdministrativeArea: address.subAdministrativeArea, postalCode: address.postalCode,
      country: address.country, isoCountryCode: address.isoCountryCode)
  }
}

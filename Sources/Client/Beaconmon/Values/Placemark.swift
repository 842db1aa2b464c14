internal import Locations

/// The names of a location in words. Core Location's CLPlacemark.
///
/// The service names a place only if the location lies in it and is accurate enough.
public struct Placemark: Hashable, Sendable, CustomStringConvertible {
  /// All names in one line, such as `Room 5, Ground floor, Gallery`.
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
}

extension Placemark {
  /// Creates the names of a location; nil if it has none.
  init?(_ report: LocationReport) {
    guard let description = report.description else { return nil }
    self.init(
      description: description, place: report.place, placeID: report.placeID, level: report.level, levelName: report.levelName,
      venue: report.venue, venueName: report.venueName)
  }
}

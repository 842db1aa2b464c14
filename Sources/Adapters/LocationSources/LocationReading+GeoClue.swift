import DBus
import Instants
import Locations

extension LocationReading {
  /// Nil without coordinates.
  ///
  /// - Parameter values: of org.freedesktop.GeoClue2.Location, `a{sv}`. Its accuracy is a radius in metres, and nobody says of which share of the
  ///   fixes: it is taken for one deviation, and the zero that GeoClue writes for a dilution up to 1 for unknown. Heading is left out: where
  ///   there is a compass it is the compass', and so no course.
  init?(geoClue values: DBusValue) {
    guard let latitude = values["Latitude"]?.double, let longitude = values["Longitude"]?.double else { return nil }
    self.init(latitude: latitude, longitude: longitude, horizontalAccuracy: values["Accuracy"]?.double)
    altitude = values["Altitude"]?.double.flatMap { $0 == -.greatestFiniteMagnitude ? nil : $0 }
    speed = values["Speed"]?.double.flatMap { $0 == -1 ? nil : $0 }
    time = values["Timestamp"].flatMap(Self.time)
    // GeoClue 2.6 writes down its own clock for Wi-Fi, cells and the network. Of a receiver's sentence it takes the time of day, and the date from its
    // own clock; only those, and places that somebody wrote down, have an altitude.
    clock = altitude == nil ? .machine : .both
  }

  /// `(tt)`, seconds and microseconds since the Unix epoch; zero where nobody knows. Saturates.
  private static func time(_ pair: DBusValue) -> Instant? {
    guard let members = pair.elements, members.count == 2, let seconds = members[0].integer(UInt64.self),
      let microseconds = members[1].integer(UInt64.self), seconds > 0
    else { return nil }
    return Instant(microseconds: 0) + .seconds(Double(seconds)) + Span(microseconds: Int64(clamping: microseconds))
  }
}

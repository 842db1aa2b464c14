import DBus
import Instants
import Locations

extension LocationReading {
  /// Creates a reading from a GeoClue location; `nil` without coordinates.
  ///
  /// - Parameter values: the properties of org.freedesktop.GeoClue2.Location, `a{sv}`. The accuracy is a radius in metres without a
  ///   documented
  ///   confidence, and is read as one standard deviation. Zero, which GeoClue writes for a dilution up to 1, is read as unknown. The
  ///   heading is
  ///   ignored, because on a device with a compass it is not the course.
  init?(geoClue values: DBusValue) {
    guard let latitude = values["Latitude"]?.double, let longitude = values["Longitude"]?.double else { return nil }
    self.init(latitude: latitude, longitude: longitude, horizontalAccuracy: values["Accuracy"]?.double)
    altitude = values["Altitude"]?.double.flatMap { $0 == -.greatestFiniteMagnitude ? nil : $0 }
    speed = values["Speed"]?.double.flatMap { $0 == -1 ? nil : $0 }
    time = values["Timestamp"].flatMap(Self.time)
    // For Wi-Fi, cells and the network, GeoClue 2.6 uses its own clock. For a receiver it uses the time of day of the sentence and the date
    // of its own clock. Only locations of receivers, and static ones, have an altitude.
    clock = altitude == nil ? .machine : .both
  }

  /// Returns the saturated time of `(tt)`, seconds and microseconds since the Unix epoch; `nil` for zero (unknown).
  private static func time(_ pair: DBusValue) -> Instant? {
    guard let members = pair.elements, members.count == 2, let seconds = members[0].integer(UInt64.self),
      let microseconds = members[1].integer(UInt64.self), seconds > 0
    else { return nil }
    return Instant(microseconds: 0) + .seconds(Double(seconds)) + Span(microseconds: Int64(clamping: microseconds))
  }
}

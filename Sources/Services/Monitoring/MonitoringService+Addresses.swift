import Addresses
import Geocoding
import Instants
import Locations
import Venues

// The addresses of locations that have no name here.

extension MonitoringService {
  /// Returns the query for the address of a location; nil if none is looked up.
  ///
  /// No address is looked up without a server, for a location that has a name, and for a location that a program states.
  ///
  /// - Parameters:
  ///   - locale: the language of the client; nil selects that of the daemon.
  ///   - wanted: the accuracy in metres that the client requests. A coarse one makes the query coarse.
  public func addressQuery(for location: Location, locale: String?, wanted: Double) -> AddressQuery? {
    guard geocoding != nil, isOfDevice(location), placemark(of: location, locale: locale) == nil else { return nil }
    let accuracy = location.horizontalAccuracy ?? (location.end == .never ? 0 : nil)
    let language = locale.map(LocalizedText.languages(ofLocale:))?.first ?? geocoding?.language ?? languages.first
    return AddressQuery(location.coordinate, accuracy: accuracy, wanted: wanted, language: language)
  }

  /// Returns whether a location is that of the device; otherwise a program states it.
  private func isOfDevice(_ location: Location) -> Bool { location.source.name != "manual" }
}

extension LocationReport {
  mutating func take(_ address: PostalAddress) {
    (description, self.address) = (address.text, address)
  }
}

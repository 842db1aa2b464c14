import DBus
import MonitorProtocol
import Venues

/// The options of a method of the venue interface, `a{sv}`.
struct VenueOptions {
  private let options: DBusValue

  /// Throws `InvalidOptions` for an unknown key and `InvalidArgs` for a value of another type.
  init(_ options: DBusValue, _ method: String, keys: [String]) throws(DBusError) {
    try OptionType.check(options, Self.types, keys: keys, of: method)
    self.options = options
  }

  private static let types: [String: OptionType] = [
    "locale": .string, "venue": .string, "level": .string, "offset": .integer, "limit": .integer, "latitude": .number, "longitude": .number,
    "x": .number, "y": .number, "adapter": .string, "areas": .flag,
  ]

  static func invalid(_ message: String) -> DBusError { .monitor(.invalidOptions, message) }

  func has(_ key: String) -> Bool { options[key] != nil }
  func text(_ key: String) -> String? { options[key]?.string }

  func flag(_ key: String) -> Bool { options[key]?.boolean ?? false }

  func number(_ key: String) -> Double? {
    options[key].flatMap { $0.double ?? $0.integer(Int64.self).map { Double($0) } }
  }

  func count(_ key: String, upTo most: Int) throws(DBusError) -> Int? {
    guard let value = options[key] else { return nil }
    guard let number = value.integer(Int.self), number >= 0 else { throw Self.invalid("\(key) must not be negative") }
    return min(number, most)
  }

  /// Returns the languages of `locale`, then those of the daemon.
  func languages(_ own: [String]) -> [String] {
    (text("locale").map(LocalizedText.languages(ofLocale:)) ?? []) + own
  }

  /// Returns the index of the venue in the option, or of all venues.
  func venues(_ catalogue: Catalogue) throws(DBusError) -> [Int] {
    guard let id = text("venue") else { return Array(catalogue.venues.indices) }
    guard let index = catalogue.venues.firstIndex(where: { $0.id == id }) else {
      throw .monitor(.noSuchVenue, "there is no venue \"\(id)\"; Plans lists the levels of all venues")
    }
    return [index]
  }
}

import Locations
import Records

/// The reason why the answer of a server is unusable.
public struct AddressAnswerError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}

extension PostalAddress {
  /// The maximum number of octets of an answer. Nominatim's have about 1,000.
  public static let mostOctets = 65_536
  /// The maximum numbers of characters and of octets of a part of an address.
  private static let (mostCharacters, mostTextOctets) = (120, 512)

  /// Reads the answer of a server with the interface of Nominatim, which is not trusted.
  ///
  /// Texts lose control characters and characters that change the direction of others, and are cut to 120 characters.
  ///
  /// - Parameter precision: that of the query. More precise parts are dropped.
  /// - Returns: nil if the server knows no address there.
  public static func read(nominatim octets: [UInt8], precision: AddressQuery.Precision) throws(AddressAnswerError) -> PostalAddress? {
    guard octets.count <= mostOctets else { throw AddressAnswerError("the answer is longer than \(mostOctets) octets") }
    guard let text = String(validating: octets, as: UTF8.self) else { throw AddressAnswerError("the answer is not UTF-8") }
    let record: Record
    do throws(JSONError) {
      record = try Record(foreignJSON: text)
    } catch {
      throw AddressAnswerError("the answer is not a JSON object: \(error)")
    }
    if case .text = record["error"] { return nil }
    guard case .record(let parts) = record["address"] else { throw AddressAnswerError("the answer has no address") }
    var address = PostalAddress(parts: parts)
    address.name = part(record, ["name"])
    address.drop(beyond: precision)
    return address == PostalAddress() ? nil : address
  }

  private init(parts: Record) {
    self.init()
    thoroughfare = Self.part(parts, ["road", "pedestrian", "footway", "path", "cycleway", "square", "place"])
    subThoroughfare = Self.part(parts, ["house_number"])
    locality = Self.part(parts, ["city", "town", "village", "municipality", "hamlet"])
    subLocality = Self.part(parts, ["suburb", "city_district", "borough", "quarter", "neighbourhood"])
    administrativeArea = Self.part(parts, ["state", "region", "province"])
    subAdministrativeArea = Self.part(parts, ["county", "state_district"])
    postalCode = Self.part(parts, ["postcode"])
    country = Self.part(parts, ["country"])
    isoCountryCode = Self.part(parts, ["country_code"]).flatMap(Self.code)
  }

  private mutating func drop(beyond precision: AddressQuery.Precision) {
    guard precision != .building else { return }
    (name, subThoroughfare) = (nil, nil)
    if precision == .city { (thoroughfare, subLocality, postalCode) = (nil, nil, nil) }
  }

  private static func code(_ text: String) -> String? {
    let isCode = text.utf8.count == 2 && text.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) }
    return isCode ? text.uppercased() : nil
  }

  /// Returns the first of these texts, as it may be shown.
  private static func part(_ record: Record, _ keys: [String]) -> String? {
    for key in keys {
      if case .text(let text) = record[key], let shown = shown(text) { return shown }
    }
    return nil
  }

  /// Returns a text without characters that could change its surroundings; nil if nothing is left.
  static func shown(_ text: String) -> String? {
    var result = String.UnicodeScalarView()
    var isBlank = false
    for scalar in text.unicodeScalars {
      if scalar.properties.isWhitespace || !isVisible(scalar) {
        isBlank = true
        continue
      }
      if isBlank, !result.isEmpty { result.append(" ") }
      isBlank = false
      result.append(scalar)
      // A character may have any number of marks.
      if result.count >= mostTextOctets { break }
    }
    var shown = String(String(result).prefix(mostCharacters))
    while shown.utf8.count > mostTextOctets { shown.removeLast() }
    return shown.isEmpty ? nil : shown
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    // Joiners are part of the spelling of some languages.
    if scalar == "\u{200C}" || scalar == "\u{200D}" { return true }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return false
    default: return true
    }
  }
}

import Records

/// The address of a location, with the parts of Core Location's CLPlacemark.
///
/// A part is nil if it is unknown or too precise for the query.
public struct PostalAddress: RecordRepresentable, Hashable {
  /// The name of a building or a sight.
  public var name: String?
  /// The street.
  public var thoroughfare: String?
  /// The number in the street.
  public var subThoroughfare: String?
  /// The city, town or village.
  public var locality: String?
  /// The district of the city.
  public var subLocality: String?
  /// The state.
  public var administrativeArea: String?
  /// The county.
  public var subAdministrativeArea: String?
  public var postalCode: String?
  public var country: String?
  /// The code of the country by ISO 3166-1, in capitals.
  public var isoCountryCode: String?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("name", \.name),
    RecordField("thoroughfare", \.thoroughfare),
    RecordField("subThoroughfare", \.subThoroughfare),
    RecordField("locality", \.locality),
    RecordField("subLocality", \.subLocality),
    RecordField("administrativeArea", \.administrativeArea),
    RecordField("subAdministrativeArea", \.subAdministrativeArea),
    RecordField("postalCode", \.postalCode),
    RecordField("country", \.country),
    RecordField("isoCountryCode", \.isoCountryCode),
  ]
}

extension PostalAddress {
  /// Countries that write the number before the street. Others write it after the street.
  private static let numberFirst: Set<String> = ["AU", "CA", "FR", "GB", "HK", "IE", "IN", "LU", "NZ", "SG", "US", "ZA"]

  /// The address in one line, such as `Marienplatz 1, 80331 München, Deutschland`; nil if nothing is known.
  public var text: String? {
    let isNumberFirst = isoCountryCode.map(Self.numberFirst.contains) ?? false
    let street = (isNumberFirst ? [subThoroughfare, thoroughfare] : [thoroughfare, subThoroughfare]).compactMap(\.self)
    let city = [postalCode, locality ?? subAdministrativeArea ?? administrativeArea].compactMap(\.self)
    let parts = [
      name == thoroughfare ? nil : name, thoroughfare == nil ? nil : street.joined(separator: " "),
      city.isEmpty ? nil : city.joined(separator: " "), country,
    ]
    let text = parts.compactMap(\.self).joined(separator: ", ")
    return text.isEmpty ? nil : text
  }
}

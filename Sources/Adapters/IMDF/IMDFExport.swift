import Instants
import Venues

/// An archive of the Indoor Mapping Data Format 1.0.0 with a venue.
///
/// The same venue and date give the same octets. Content that the standard does not have is in two extensions, which other programs ignore:
/// features of the type `beacon`, and the property `beaconmon`.
public struct IMDFExport: Sendable {
  /// A postal address, which the standard requires.
  public struct Address: Hashable, Sendable {
    public var street: String
    public var locality: String
    /// A country as in ISO 3166, such as `DE`.
    public var country: String

    public init(street: String, locality: String, country: String) {
      (self.street, self.locality, self.country) = (street, locality, country)
    }
  }

  public struct Options: Hashable, Sendable {
    /// The language of texts without one; nil for the first language of the venue, or `en`.
    public var language: String?
    /// The category of the venue; nil for one that fits its places.
    public var category: String?
    public var address: Address?

    public init(language: String? = nil, category: String? = nil, address: Address? = nil) {
      (self.language, self.category, self.address) = (language, category, address)
    }
  }

  /// A file of the archive.
  public struct File: Hashable, Sendable {
    public let name: String
    public let content: [UInt8]
  }

  public let files: [File]
  /// The values that were assumed, and the content that an archive has no place for.
  public let notes: [ConversionNote]

  /// Converts a venue.
  ///
  /// - Parameter created: the date in the manifest.
  /// - Throws: if the location of the venue on the earth is unknown.
  public init(_ venue: Venue, created: Instant, options: Options = Options()) throws(IMDFError) {
    guard let frame = venue.frame else {
      throw .invalid("the venue has no [frame]; add one with latitude, longitude and bearing, because IMDF has positions on the earth only")
    }
    var writer = IMDFWriter(venue, frame, options)
    writer.write()
    let manifest: JSONValue = .object([
      "version": .text(IMDFFormat.version), "created": .text(created.rfc3339), "generated_by": .text("beaconmon"),
      "language": .text(writer.language),
      "extensions": .list(
        [IMDFFormat.beaconsExtension, IMDFFormat.venueExtension].map { .text($0 + IMDFFormat.extensionVersion) }),
    ])
    files =
      [File(name: IMDFFormat.manifest, content: manifest.octets + [UInt8(ascii: "\n")])]
      + (IMDFFormat.featureTypes + [IMDFFormat.beacon]).map { type in
        File(name: type + IMDFFormat.suffix, content: Self.collection(of: writer.features[type] ?? [], type))
      }
    notes = writer.notes.notes
  }

  /// Returns the zip file.
  ///
  /// - Throws: if libzip is missing or fails.
  public func archive() throws(IMDFError) -> [UInt8] {
    try ZipArchive().archive(of: files.map { ($0.name, $0.content) })
  }

  /// Returns a FeatureCollection with a feature on each line, so that two versions of a file can be compared.
  static func collection(of features: [JSONValue], _ name: String) -> [UInt8] {
    var octets = Array("{\"type\":\"FeatureCollection\",\"name\":\"\(name)\",\"features\":[".utf8)
    for (index, feature) in features.enumerated() {
      octets += index == 0 ? [UInt8(ascii: "\n")] : Array(",\n".utf8)
      octets += feature.octets
    }
    return octets + Array("\n]}\n".utf8)
  }
}

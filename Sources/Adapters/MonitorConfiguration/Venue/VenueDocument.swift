import Venues

/// A venue with the lines of its file, for warnings about parts that may be wrong.
public struct VenueDocument: Sendable {
  /// The format that this version reads.
  public static let format = 1
  /// The maximum number of octets of a venue file.
  public static let mostOctets = ConfigurationFile.largest
  /// The maximum number of places of a venue.
  public static let mostPlaces = 10_000
  /// The maximum number of walkable areas and voids of a venue.
  public static let mostAreas = 5000

  /// The name of the file, as given when it was read.
  public let file: String
  public let venue: Venue
  let lines: Lines
  /// The warnings of the reader: unknown keys, and values that are unlikely.
  let readingWarnings: [ConfigurationProblem]
  /// The references to files and apps of the machine.
  let references: [MachineReference]

  /// The lines of the parts, in the order of the venue.
  struct Lines: Hashable, Sendable {
    /// The line of the id; nil for a file that has none.
    var id: SourceLine?
    var levels: [SourceLine?] = []
    var beacons: [SourceLine?] = []
    var places: [SourceLine?] = []
    var nodes: [SourceLine?] = []
    var edges: [SourceLine?] = []
    var appointments: [SourceLine?] = []
    var survey: SourceLine?
    var name: SourceLine?
    var nearby: SourceLine?
  }

  /// Reads a file of at most 1 MiB. Its id defaults to the name of the file without folder and extension.
  public static func read(file: String) throws(ConfigurationError) -> VenueDocument {
    try parse(text: text(of: file), name: file)
  }

  /// Returns the text of a file of at most 1 MiB.
  public static func text(of file: String) throws(ConfigurationError) -> String { try ConfigurationFile.text(of: file) }

  /// Reads a venue and its warnings from text.
  ///
  /// - Parameters:
  ///   - name: The name of the text in errors and warnings.
  ///   - readsFiles: Whether to read the file of a survey. Its key is among the references in any case.
  public static func parse(text: String, name: String, readsFiles: Bool = true) throws(ConfigurationError) -> VenueDocument {
    let problems = ProblemList(file: name, allowsUnknownKeys: true)
    let (venue, lines) = try TableReader.read(text, problems) {
      VenueReader($0, readsFiles: readsFiles).venue(called: Self.id(ofFile: name))
    }
    return VenueDocument(file: name, venue: venue, lines: lines, readingWarnings: problems.warnings, references: problems.references)
  }

  private static func id(ofFile path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    let stem = name.hasSuffix(".toml") ? name.dropLast(5) : name
    return stem.isEmpty ? "venue" : String(stem)
  }
}

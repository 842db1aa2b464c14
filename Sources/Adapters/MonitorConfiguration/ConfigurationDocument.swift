/// A configuration with the lines of its file, for warnings about settings that may not work.
public struct ConfigurationDocument: Sendable {
  /// The name of the file, as given when it was read.
  public let file: String
  /// The values of the file.
  ///
  /// A caller may replace some, for example with the source on a command line. `warnings` apply to the values that are here.
  public var configuration: Configuration
  /// The files in `venues`, in the order of the configuration.
  public internal(set) var venues: [VenueDocument] = []
  let lines: Lines
  let references: [MachineReference]
  /// The paths in `venues`, as written.
  let venueFiles: [String]

  /// The lines of settings that warnings refer to, from 1.
  struct Lines: Hashable, Sendable {
    /// The line of `[location.capture]` or `[location.nmea]`; 1 if neither exists.
    var recordedTrack: Int? = 1
    var receiver: Int? = 1
    /// The lines of the regions, in the order of the configuration.
    var regions: [Int?] = []
    /// The line of `venues`.
    var venues: Int?
    /// The line of `[receiver]`.
    var place: Int?
  }

  /// Returns the document of a missing optional file: every setting has its default.
  public init(withoutFile file: String) {
    self.init(file: file, configuration: Configuration(), lines: Lines(), references: [])
  }

  init(file: String, configuration: Configuration, lines: Lines, references: [MachineReference], venueFiles: [String] = []) {
    self.file = file
    self.configuration = configuration
    self.lines = lines
    self.references = references
    self.venueFiles = venueFiles
  }

  /// Reads a file of at most 1 MiB and the files of its venues.
  public static func read(file: String) throws(ConfigurationError) -> ConfigurationDocument {
    var document = try parse(text: ConfigurationFile.text(of: file), name: file)
    try document.readVenues()
    return document
  }

  /// Reads a config and its warnings from text, without the files of its venues.
  ///
  /// - Parameter name: The name of the text in errors and warnings.
  public static func parse(text: String, name: String) throws(ConfigurationError) -> ConfigurationDocument {
    try TableReader.read(text, name: name) { ConfigurationReader($0).document() }
  }
}

/// A configuration as a file has it: its values, and where in the file those stand that may turn out not to work.
public struct ConfigurationDocument: Sendable {
  /// The file as it was named when it was read.
  public let file: String
  /// The values of the file.
  ///
  /// A caller may replace some, for example with the source on a command line. `warnings` apply to the values that are here.
  public var configuration: Configuration
  let lines: Lines
  let references: [MachineReference]

  /// Lines of the file, from 1.
  struct Lines: Hashable, Sendable {
    /// Of `[location.capture]` and `[location.nmea]`; of the whole file where they are not there.
    var recordedTrack = 1
    var receiver = 1
    /// In the order of the configuration's regions.
    var regions: [Int] = []
  }

  /// Returns the document of a file that is not there and need not be: everything has its default.
  public init(withoutFile file: String) {
    self.init(file: file, configuration: Configuration(), lines: Lines(), references: [])
  }

  init(file: String, configuration: Configuration, lines: Lines, references: [MachineReference]) {
    self.file = file
    self.configuration = configuration
    self.lines = lines
    self.references = references
  }

  /// Reads a file of at most 1 MiB.
  public static func read(file: String) throws(ConfigurationError) -> ConfigurationDocument {
    try parse(text: ConfigurationFile.text(of: file), name: file)
  }

  /// Reads a config and its warnings from text.
  ///
  /// - Parameter name: The name of the text in errors and warnings.
  public static func parse(text: String, name: String) throws(ConfigurationError) -> ConfigurationDocument {
    try TableReader.read(text, name: name) { ConfigurationReader($0).document() }
  }
}

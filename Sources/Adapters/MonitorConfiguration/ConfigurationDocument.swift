/// A configuration with the lines of its file, for warnings about settings that may not work.
public struct ConfigurationDocument: Sendable {
  /// The names of the files, the main one as given when it was read, the drop-ins in their order, and then the rollout.
  let files: [String]
  /// The values of the file.
  ///
  /// A caller may replace some, for example with the source on a command line. `warnings` apply to the values that are here.
  public var configuration: Configuration
  /// The files in `venues`, in the order of the configuration.
  public internal(set) var venues: [VenueDocument] = []
  /// The problems of stored venues that are not in use.
  public internal(set) var leftOutVenues: [ConfigurationProblem] = []
  /// The rollout that the configuration contains; nil if there is none.
  public internal(set) var rollout: RolledOut?
  /// The problems of a rollout that is not in use.
  public internal(set) var leftOutRollout: [ConfigurationProblem] = []
  /// The texts of the venues of the rollout, by their ids.
  var rolledOutVenues: [String: String] = [:]
  var lines: Lines
  let references: [MachineReference]
  /// The paths in `venues`, as written.
  let venueFiles: [String]
  /// The tables `[[appointment]]`, whose places are found when the venues are read.
  let appointments: [WrittenAppointment]
  /// The paths in `calendar`, as written.
  let calendarFiles: [String]
  /// The keys that have another name now.
  public internal(set) var renamedKeys: [ConfigurationProblem] = []
  /// A number that is the same for files with the same keys and values.
  ///
  /// Comments, and the distribution of the keys among the files, do not matter.
  public internal(set) var digest: UInt64 = 0
  /// The SHA-256 of the keys and values, for a hub; nil without one.
  public internal(set) var hash: [UInt8]?

  /// The lines of settings that warnings refer to, from 1.
  struct Lines: Hashable, Sendable {
    /// The line of `[location.capture]` or `[location.nmea]`; 1 if neither exists.
    var recordedTrack: SourceLine? = 1
    var receiver: SourceLine? = 1
    /// The lines of the regions, in the order of the configuration.
    var regions: [SourceLine?] = []
    /// The line of `venues`.
    var venues: SourceLine?
    /// The line of `require`.
    var required: SourceLine?
    /// The line of `[geocoding]`.
    var geocoding: SourceLine?
    /// The line of `[receiver]`.
    var place: SourceLine?
    /// The line of `calendar`.
    var calendars: SourceLine?
    /// The lines of the appointments, in the order of the configuration.
    var appointments: [SourceLine?] = []
  }

  init(
    files: [String], configuration: Configuration, lines: Lines, references: [MachineReference], venueFiles: [String] = [],
    appointments: [WrittenAppointment] = [], calendarFiles: [String] = []
  ) {
    self.files = files
    self.configuration = configuration
    self.lines = lines
    self.references = references
    self.venueFiles = venueFiles
    self.appointments = appointments
    self.calendarFiles = calendarFiles
  }

  /// Reads a file, its drop-ins and the files of its venues, of at most 1 MiB each.
  ///
  /// - Parameter isOptional: A missing file counts as an empty one, in which every setting has its default.
  public static func read(file: String, isOptional: Bool = false) throws(ConfigurationError) -> ConfigurationDocument {
    try read(ConfigurationFiles(beside: file), isOptional: isOptional)
  }

  /// Reads the files of a configuration and of its venues, with the rollout of the device.
  public static func read(_ files: ConfigurationFiles, isOptional: Bool = false) throws(ConfigurationError) -> ConfigurationDocument {
    try MergedConfiguration.effective(files, isOptional: isOptional).1
  }

  /// Reads a config and its warnings from text, without the files of its venues.
  ///
  /// - Parameter name: The name of the text in errors and warnings.
  public static func parse(text: String, name: String) throws(ConfigurationError) -> ConfigurationDocument {
    try MergedConfiguration([(name, text)]).document()
  }

  /// The name of the main file.
  public var file: String { files[0] }

  /// The names of the files on the disk, the main one first.
  public var paths: [String] { Array(files.prefix(files.count - (rollout == nil ? 0 : 1))) }

  /// The drop-ins, relative to the folder of the main file, and the rollout: `conf.d/10-site.toml`, `rollout 7`.
  public var dropIns: [String] {
    let folder = ConfigurationFiles.folder(of: file)
    return paths.dropFirst().map { String($0.dropFirst(folder.count)) } + (rollout.map { [$0.name] } ?? [])
  }

  /// The files in a line of a log: `FILE with conf.d/10-site.toml and 2 more`.
  public var title: String {
    guard !dropIns.isEmpty else { return file.escapingControlCharacters }
    let more = dropIns.count > Self.mostNamed ? " and \(dropIns.count - Self.mostNamed) more" : ""
    return "\(file) with \(dropIns.prefix(Self.mostNamed).joined(separator: ", "))\(more)".escapingControlCharacters
  }

  /// The maximum number of drop-ins that a line names.
  private static let mostNamed = 5

  func problem(_ line: SourceLine?, _ message: String) -> ConfigurationProblem {
    ConfigurationProblem(file: files[line?.file ?? 0], line: line?.number, column: nil, message: message)
  }

  /// Returns problems in the order of the files and lines.
  public func inOrder(_ problems: [ConfigurationProblem]) -> [ConfigurationProblem] {
    let places = Dictionary(files.enumerated().map { ($1, $0) }) { first, _ in first }
    return problems.map { (SourceLine(file: places[$0.file] ?? files.count, number: $0.line ?? 0), $0) }.enumerated()
      .sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map(\.element.1)
  }
}

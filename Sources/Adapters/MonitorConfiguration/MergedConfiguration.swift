import ConfigurationTree
import TOML

/// The values of all files of a configuration, each with its place.
public struct MergedConfiguration: Sendable {
  /// The names of the files that were read, the main one first.
  public let files: [String]
  let nodes: [String: ConfigurationNode]
  /// The keys that have another name now.
  let renamedKeys: [ConfigurationProblem]

  /// Reads the main file and its drop-ins.
  ///
  /// Throws every file that is no TOML text. Keys and values are checked by `document`.
  ///
  /// - Parameter isOptional: A missing main file counts as an empty one.
  public static func read(_ files: ConfigurationFiles, isOptional: Bool = false) throws(ConfigurationError) -> MergedConfiguration {
    try MergedConfiguration(files.texts(isOptional: isOptional))
  }

  /// - Parameters:
  ///   - texts: The names and texts of the files, the main one first.
  ///   - renamed: The keys that have another name now.
  init(
    _ texts: [(name: String, text: String)], renamed: [RenamedKey] = RenamedKey.ofConfiguration
  ) throws(ConfigurationError) {
    let problems = ProblemList(files: texts.map(\.name))
    var parsed: [[String: ConfigurationNode]] = []
    for (number, file) in texts.enumerated() {
      do throws(TOMLSyntaxError) {
        let nodes = try TOMLParser.parse(file.text, number: number)
        parsed.append(renamed.reduce(nodes) { $1.applied(to: $0, problems) })
      } catch {
        problems.report(error, inFile: number)
      }
    }
    try problems.throwIfAny()
    files = problems.files
    renamedKeys = problems.warnings
    // Most devices have no drop-ins and need no recording.
    guard parsed.count > 1 else {
      nodes = parsed.first ?? [:]
      return
    }
    let keys = KeyRecorder.ofConfiguration()
    nodes = parsed.dropFirst().reduce(parsed[0]) { keys.merged($0, with: $1) }
  }

  /// Returns the configuration without its venues; throws every invalid key and value.
  func document() throws(ConfigurationError) -> ConfigurationDocument {
    let problems = ProblemList(files: files)
    var document = ConfigurationReader(TableReader(nodes, line: 1, place: [], problems: problems)).document()
    try problems.throwIfAny()
    document.renamedKeys = renamedKeys
    document.digest = digest
    return document
  }
}

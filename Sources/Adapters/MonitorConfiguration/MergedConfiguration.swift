import ConfigurationTree
import EventActions
import TOML

/// The values of all files of a configuration, each with its place.
public struct MergedConfiguration: Sendable {
  /// The names of the files that were read, the main one first.
  public let files: [String]
  let nodes: [String: ConfigurationNode]
  /// The keys that have another name now.
  let renamedKeys: [ConfigurationProblem]

  /// Reads the main file and its drop-ins, without a rollout.
  ///
  /// Throws every file that is not TOML text. Keys and values are checked by `document`.
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

  /// Creates the values of files that were read before.
  init(files: [String], nodes: [String: ConfigurationNode], renamedKeys: [ConfigurationProblem]) {
    (self.files, self.nodes, self.renamedKeys) = (files, nodes, renamedKeys)
  }

  /// Returns the configuration without its venues; throws every invalid key and value.
  func document() throws(ConfigurationError) -> ConfigurationDocument {
    let problems = ProblemList(files: files)
    var document = ConfigurationReader(TableReader(nodes, line: 1, place: [], problems: problems)).document()
    try problems.throwIfAny()
    document.renamedKeys = renamedKeys
    document.digest = digest
    if document.configuration.notifier.targets.contains(where: \.means.takesEveryEvent) { document.hash = hash }
    return document
  }
}

/// A key that had another name in earlier versions. The old name still works, with a warning.
struct RenamedKey: Sendable {
  /// The path to the table of the key, such as `["region"]`; empty at the top.
  let table: [String]
  let old: String
  let new: String
  /// The first version with the new name.
  let version: String

  /// The renamed keys of a configuration. An entry stays as long as devices may have files of the older version.
  static let ofConfiguration: [RenamedKey] = []
}

extension RenamedKey {
  /// Returns the top table of a file with the new name instead of the old one, and warns about each place.
  ///
  /// Both names in one table are an error.
  func applied(to nodes: [String: ConfigurationNode], _ problems: ProblemList) -> [String: ConfigurationNode] {
    applied(to: nodes, table[...], problems)
  }

  private func applied(
    to nodes: [String: ConfigurationNode], _ path: ArraySlice<String>, _ problems: ProblemList
  ) -> [String: ConfigurationNode] {
    var nodes = nodes
    guard let name = path.first else {
      guard let node = nodes.removeValue(forKey: old) else { return nodes }
      let line = node.position?.sourceLine
      if let other = nodes[new] {
        let place = other.position.map { " in line \($0.line)" } ?? ""
        problems.report(line: line, described("is the former name of \(new), which is set\(place) as well; remove \(old)"))
      } else {
        problems.warn(line: line, described("is called \(new) since version \(version); rename it"))
        nodes[new] = node
      }
      return nodes
    }
    guard let node = nodes[name] else { return nodes }
    nodes[name] = applied(to: node, path.dropFirst(), problems)
    return nodes
  }

  private func applied(to node: ConfigurationNode, _ path: ArraySlice<String>, _ problems: ProblemList) -> ConfigurationNode {
    switch node.value {
    case .table(let nodes): ConfigurationNode(.table(applied(to: nodes, path, problems)), at: node.position)
    case .list(let elements): ConfigurationNode(.list(elements.map { applied(to: $0, path, problems) }), at: node.position)
    default: node
    }
  }

  private func described(_ message: String) -> String { (table + [old]).joined(separator: ": ") + ": " + message }
}

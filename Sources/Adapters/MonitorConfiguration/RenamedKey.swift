import ConfigurationTree

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

import ConfigurationTree

// Merges the files of a configuration: decision 53.

extension KeyRecorder {
  /// Returns the table with the values of a later file, which replace those of the same keys.
  ///
  /// Tables merge key by key. Arrays of tables append; a table with the same identity as one of an earlier file is merged with it.
  func merged(_ base: [String: ConfigurationNode], with later: [String: ConfigurationNode]) -> [String: ConfigurationNode] {
    var result = base
    for (key, node) in later { result[key] = base[key].map { merged(key, $0, with: node) } ?? node }
    return result
  }

  private func merged(_ key: String, _ base: ConfigurationNode, with later: ConfigurationNode) -> ConfigurationNode {
    switch (entries[key], base.value, later.value) {
    case (.table(let keys, _)?, .table(let a), .table(let b)):
      ConfigurationNode(.table(keys.merged(a, with: b)), at: base.position)
    case (.value(.map, _)?, .table(let a), .table(let b)):
      ConfigurationNode(.table(a.merging(b) { $1 }), at: base.position)
    case (.tables(let kinds, let series)?, .list(let a), .list(let b)):
      ConfigurationNode(.list(kinds[0].merged(a, with: b, series)), at: base.position)
    default: later
    }
  }

  private func merged(_ base: [ConfigurationNode], with later: [ConfigurationNode], _ series: TableSeries) -> [ConfigurationNode] {
    guard !series.isLastFileFirst else { return later + base }
    guard !series.identity.isEmpty else { return base + later }
    var result = base
    var indices: [[String]: Int] = [:]
    for (index, node) in base.enumerated() {
      if let identity = identity(of: node, series), indices[identity] == nil { indices[identity] = index }
    }
    for node in later {
      // A second table of the same file stays separate, so that the reader reports the duplicate.
      if let identity = identity(of: node, series), let index = indices.removeValue(forKey: identity),
        case (.table(let a), .table(let b)) = (base[index].value, node.value)
      {
        // The values that identify the table keep the place where it begins.
        let identities = Set(series.identity + series.optionalIdentity)
        result[index] = ConfigurationNode(
          .table(merged(a, with: b.filter { !identities.contains($0.key) || a[$0.key] == nil })), at: base[index].position)
      } else {
        result.append(node)
      }
    }
    return result
  }

  /// Returns the values that identify a table; nil if one is missing.
  func identity(of node: ConfigurationNode, _ series: TableSeries) -> [String]? {
    guard case .table(let nodes) = node.value, !series.identity.isEmpty else { return nil }
    var values: [String] = []
    for key in series.identity {
      guard let value = nodes[key] else { return nil }
      values.append(text(key, value))
    }
    return values + series.optionalIdentity.map { key in nodes[key].map { text(key, $0) } ?? "" }
  }

  private func text(_ key: String, _ node: ConfigurationNode) -> String {
    switch (node.value, entries[key]) {
    case (.text(let text), .value(.uuid, _)?), (.text(let text), .value(.address, _)?): text.lowercased()
    default: node.value.toml
    }
  }
}

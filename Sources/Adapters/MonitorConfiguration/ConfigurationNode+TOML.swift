import ConfigurationTree

extension ConfigurationNode.Value {
  /// The value in one line of TOML.
  var toml: String {
    switch self {
    case .text(let text): text.asTOML
    case .integer(let integer): "\(integer)"
    case .number(let number): "\(number)"
    case .flag(let flag): "\(flag)"
    case .date(let date): date
    case .list(let nodes): "[\(nodes.map(\.value.toml).joined(separator: ", "))]"
    case .table(let nodes):
      // In the order of the file, because the first language of a name is its default.
      nodes.isEmpty
        ? "{}" : "{ \(nodes.inFileOrder.map { "\($0.key.asTOMLKey) = \($0.value.value.toml)" }.joined(separator: ", ")) }"
    }
  }
}

extension ConfigurationNode.Value {
  /// The maximum number of characters of a list in one line.
  private static let longest = 100

  /// The value in TOML, where a long list of lists or of tables has a line for each.
  func toml(_ lineEnd: String) -> String {
    let line = toml
    guard line.count > Self.longest, case .list(let nodes) = self, nodes.allSatisfy({ $0.value.isComposed }) else { return line }
    return "[\(lineEnd)" + nodes.map { "  \($0.value.toml),\(lineEnd)" }.joined() + "]"
  }

  private var isComposed: Bool {
    switch self {
    case .list, .table: true
    default: false
    }
  }

  /// Whether both mean the same, wherever they come from: 7 and 7.0 are one number.
  func isSame(as other: ConfigurationNode.Value) -> Bool {
    switch (self, other) {
    case (.integer(let a), .number(let b)), (.number(let b), .integer(let a)): Double(a) == b
    case (.list(let a), .list(let b)): a.count == b.count && zip(a, b).allSatisfy { $0.value.isSame(as: $1.value) }
    case (.table(let a), .table(let b)):
      a.count == b.count && a.allSatisfy { key, node in b[key].map { node.value.isSame(as: $0.value) } ?? false }
    default: self == other
    }
  }
}

extension String {
  /// The text as a key, in quotes if it needs them.
  var asTOMLKey: String {
    let isBare =
      !isEmpty
      && utf8.allSatisfy { octet in
        (0x30...0x39).contains(octet) || (0x41...0x5a).contains(octet) || (0x61...0x7a).contains(octet) || octet == 0x2d || octet == 0x5f
      }
    return isBare ? self : asTOML
  }
}

extension [String: ConfigurationNode] {
  /// The entries in the order of their file, and those without a position by their names.
  fileprivate var inFileOrder: [(key: String, value: ConfigurationNode)] {
    func place(_ node: ConfigurationNode) -> (Int, Int) { node.position.map { ($0.line, $0.column) } ?? (0, 0) }
    return map { (key: $0.key, value: $0.value) }.sorted {
      place($0.value) == place($1.value) ? $0.key < $1.key : place($0.value) < place($1.value)
    }
  }
}

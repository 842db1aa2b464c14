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
      nodes.isEmpty
        ? "{}" : "{ \(nodes.sorted { $0.key < $1.key }.map { "\($0.key.asTOMLKey) = \($0.value.value.toml)" }.joined(separator: ", ")) }"
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

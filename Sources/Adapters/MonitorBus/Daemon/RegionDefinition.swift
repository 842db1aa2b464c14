import DBus
import TOML

/// A region as a client asks for it, `a{sv}`, on its way to the rules that the config has.
public enum RegionDefinition {
  /// A region has fewer than twenty keys; more would only make a long list of errors.
  private static let mostKeys = 64

  static func nodes(_ options: DBusValue) throws(DBusError) -> [String: TOMLNode] {
    let entries = options.entries ?? []
    guard entries.count <= mostKeys else { throw .monitor("InvalidRegion", "there are \(entries.count) keys; a region has fewer") }
    var nodes: [String: TOMLNode] = [:]
    for entry in entries {
      let key = entry.key.string ?? ""
      guard nodes.updateValue(TOMLNode(value: .init(entry.value.unwrapped), line: 1), forKey: key) == nil else {
        throw .monitor("InvalidRegion", "\(key): is there twice; give it once")
      }
    }
    return nodes
  }
}

extension TOMLNode.Value {
  /// No key of a region takes a list or a table, so what is in them does not matter.
  fileprivate init(_ value: DBusValue) {
    switch value {
    case .string(let text), .objectPath(let text), .signature(let text): self = .text(text)
    case .boolean(let flag): self = .flag(flag)
    case .double(let number): self = .number(number)
    case .byte, .int16, .uint16, .int32, .uint32, .int64: self = .integer(value.integer() ?? 0)
    case .uint64(let number): self = .integer(Int(clamping: number))
    case .dictionary, .structure, .variant, .unixFD: self = .table([:])
    case .bytes, .array: self = .list([])
    }
  }
}

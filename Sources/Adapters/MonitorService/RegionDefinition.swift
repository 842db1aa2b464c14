import ConfigurationTree
import DBus
import MonitorProtocol

/// A client's definition of a region, `a{sv}`, to which the rules of the config apply.
public enum RegionDefinition {
  /// Maximum number of keys. A region has fewer than twenty, and more would only make a long list of errors.
  private static let mostKeys = 64

  /// The types of a region's keys on the bus, which are those of its properties; see Docs/dbus/Session.md.
  private static let types: [String: OptionType] = {
    let types = RegionProperty.definition.map { ($0.key, OptionType(signature: $0.signature)) }
    // The key of a definition is a request, and the name of the property a statement.
    return Dictionary(uniqueKeysWithValues: types.map { ($0 == "learnsExitDelay" ? "learnExitDelay" : $0, $1) }).compactMapValues(\.self)
  }()

  /// Returns the identifier of a definition without other keys, which means a configured region; otherwise nil.
  static func onlyIdentifier(_ options: DBusValue) -> String? {
    options.entries?.count == 1 ? options["identifier"]?.string : nil
  }

  static func nodes(_ options: DBusValue) throws(DBusError) -> [String: ConfigurationNode] {
    let entries = options.entries ?? []
    try OptionType.check(options, types)
    guard entries.count <= mostKeys else { throw .monitor(.invalidRegion, "there are \(entries.count) keys, more than a region can have") }
    var nodes: [String: ConfigurationNode] = [:]
    for entry in entries {
      let key = entry.key.string ?? ""
      guard nodes.updateValue(ConfigurationNode(.init(entry.value.unwrapped)), forKey: key) == nil else {
        throw .monitor(.invalidRegion, "\(key): is a duplicate; specify it once")
      }
    }
    return nodes
  }
}

extension ConfigurationNode.Value {
  /// No key of a region takes a list or a table, so their elements are ignored.
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

import Beacons
import ConfigurationTree
import Instants
import Records

/// The effective values of a configuration, each with its origin, in the order of the readers.
public struct ConfigurationListing: Sendable {
  public private(set) var sections: [Section] = []
  /// The folder of the main file with a slash at its end, which origins omit.
  public let folder: String

  /// A table with its values, under its header.
  public struct Section: Sendable {
    /// The names of the table and of the tables above it; empty at the top.
    public let path: [String]
    /// The keys that lead to the table, without the names of its entries.
    let header: [String]
    /// Whether the table is one of an array.
    let isEntry: Bool
    /// Whether a file has the table.
    let isPresent: Bool
    public var values: [Value]
  }

  /// A key with its value.
  public struct Value: Hashable, Sendable {
    public let key: String
    /// The value in TOML, without passwords.
    public let toml: String
    /// The value in JSON, without passwords.
    public let json: String
    public let origin: Origin
    /// The value in a form that is the same for equal settings.
    let canonical: String
  }

  public enum Origin: Hashable, Sendable {
    case standard
    case file(String, line: Int)
  }
}

extension ConfigurationListing {
  /// Lists the values of files, and the default of every key that is absent from a table that is present.
  public init(_ merged: MergedConfiguration) {
    self.init(nodes: merged.nodes, files: merged.files)
  }

  /// The listing of a configuration without any key.
  public static var ofDefaults: ConfigurationListing { ConfigurationListing(nodes: [:], files: []) }

  private init(nodes: [String: ConfigurationNode], files: [String]) {
    folder = files.first.map(ConfigurationFiles.folder) ?? ""
    add(nodes, KeyRecorder.ofConfiguration(), Section(path: [], header: [], isEntry: false, isPresent: true, values: []), files)
  }

  private mutating func add(
    _ nodes: [String: ConfigurationNode], _ keys: KeyRecorder, _ section: Section, _ files: [String]
  ) {
    let index = sections.count
    sections.append(section)
    func part(_ names: [String], _ key: String, isEntry: Bool, isPresent: Bool) -> Section {
      Section(path: section.path + names, header: section.header + [key], isEntry: isEntry, isPresent: isPresent, values: [])
    }
    var values: [Value] = []
    for key in keys.keys {
      switch keys.entries[key] {
      case .value(let form, let standard)?:
        guard let value = nodes[key].map({ Value(key, $0, form, files) }) ?? standard.map({ Value(key, standard: $0, form) }) else {
          continue
        }
        values.append(value)
      case .table(let table, let hasDefaults)?:
        if case .table(let inner)? = nodes[key]?.value ?? (hasDefaults ? .table([:]) : nil) {
          add(inner, table, part([key], key, isEntry: false, isPresent: nodes[key] != nil), files)
        }
      case .tables(let kinds, let series)?:
        guard case .list(let entries)? = nodes[key]?.value else { continue }
        for (number, entry) in entries.enumerated() {
          guard case .table(let inner) = entry.value else { continue }
          let kind = kinds.first { kind in inner.keys.allSatisfy { kind.entries[$0] != nil } } ?? kinds[0]
          let name = kind.name(of: entry, series) ?? "\(number + 1)"
          add(inner, kind, part([key, name], key, isEntry: true, isPresent: true), files)
        }
      case nil: break
      }
    }
    sections[index].values = values
  }
}

extension KeyRecorder {
  /// Returns the identity of a table in a text: `entrance`, or `8ec76ea3-…/1/2`.
  fileprivate func name(of node: ConfigurationNode, _ series: TableSeries) -> String? {
    guard case .table(let nodes) = node.value, !series.identity.isEmpty else { return nil }
    var parts: [String] = []
    for key in series.identity {
      guard let value = nodes[key]?.value else { return nil }
      if case .text(let text) = value { parts.append(text) } else { parts.append(value.toml) }
    }
    for key in series.optionalIdentity { if case .text(let text)? = nodes[key]?.value { parts.append(text) } }
    return parts.joined(separator: "/")
  }
}

// MARK: Values

extension ConfigurationListing.Value {
  init(_ key: String, _ node: ConfigurationNode, _ form: ValueForm, _ files: [String]) {
    let line = node.position?.sourceLine ?? 1
    self.init(key, node.value, form, .file(files[line.file], line: line.number))
  }

  init(_ key: String, standard: ConfigurationNode.Value, _ form: ValueForm) { self.init(key, standard, form, .standard) }

  private init(_ key: String, _ value: ConfigurationNode.Value, _ form: ValueForm, _ origin: ConfigurationListing.Origin) {
    let shown = form.withoutPasswords(value)
    (self.key, self.origin) = (key, origin)
    (toml, json) = (shown.toml, shown.json)
    canonical = form.canonical(value)
  }
}

extension ValueForm {
  /// The text instead of a password.
  private static let hidden = "(hidden)"

  /// Returns the value without texts that may contain passwords.
  func withoutPasswords(_ value: ConfigurationNode.Value) -> ConfigurationNode.Value {
    switch (self, value) {
    case (.header, .text): .text(Self.hidden)
    case (.url, .text(let text)): .text(Self.hostOnly(text))
    case (.map(_, let form), .table(let nodes)):
      .table(nodes.mapValues { ConfigurationNode(form.withoutPasswords($0.value), at: $0.position) })
    case (.either(let forms), _): forms.reduce(value) { $1.withoutPasswords($0) }
    default: value
    }
  }

  /// Returns the beginning of an address up to its host: services put tokens into paths and queries.
  private static func hostOnly(_ text: String) -> String {
    guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return hidden }
    let host = text.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
    let rest = text.dropFirst(scheme.count + host.count)
    return scheme + host + (rest.isEmpty || rest == "/" ? String(rest) : "/\(hidden)")
  }

  /// Returns a text that is the same for equal settings.
  func canonical(_ value: ConfigurationNode.Value) -> String {
    switch (self, value) {
    case (.duration, .text(let text)): Span(text: text).map { "\($0.microseconds)" } ?? text
    case (.size, .text(let text)): DataSize(text: text).map { "\($0.octets)" } ?? text
    case (.uuid, .text(let text)), (.address, .text(let text)): text.lowercased()
    case (.number, .integer(let integer)): "\(Double(integer))"
    case (.either(let forms), .text(let text)):
      // One text, and a list of it, are the same.
      forms.contains { if case .list = $0 { true } else { false } }
        ? ConfigurationNode.Value.list([ConfigurationNode(.text(text))]).toml : value.toml
    default: value.toml
    }
  }
}

extension ConfigurationNode.Value {
  /// The value in one line of JSON.
  var json: String {
    switch self {
    case .text(let text): text.asJSON
    case .integer, .flag: toml
    case .number(let number): number.isFinite ? toml : "null"
    case .date(let date): date.asJSON
    case .list(let nodes): "[\(nodes.map(\.value.json).joined(separator: ", "))]"
    case .table(let nodes):
      "{\(nodes.sorted { $0.key < $1.key }.map { "\($0.key.asJSON): \($0.value.value.json)" }.joined(separator: ", "))}"
    }
  }
}

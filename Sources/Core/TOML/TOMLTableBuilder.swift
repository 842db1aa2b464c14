import ConfigurationTree

/// A table that headers and dotted keys can still extend, within TOML's rules.
final class TOMLTableBuilder {
  enum Entry {
    case value(ConfigurationNode)
    case table(TOMLTableBuilder)
    case tables(Series)
  }

  /// An array of tables; shared, so that adding a table does not copy the earlier ones.
  final class Series {
    var tables: [TOMLTableBuilder]

    init(_ first: TOMLTableBuilder) {
      tables = [first]
    }
  }

  enum Origin {
    /// Created on the path to another table: a header may still open it.
    case passing
    case header
    case dottedKey
  }

  private var entries: [String: Entry] = [:]
  private var origin: Origin
  let position: SourcePosition

  init(_ origin: Origin, position: SourcePosition) {
    self.origin = origin
    self.position = position
  }

  /// An earlier definition that prevents a new one.
  struct Conflict: Error {
    let name: String
    let position: SourcePosition?
  }

  var node: ConfigurationNode {
    let nodes = entries.mapValues { entry in
      switch entry {
      case .value(let node): node
      case .table(let table): table.node
      case .tables(let series): ConfigurationNode(.list(series.tables.map(\.node)), at: entry.position)
      }
    }
    return ConfigurationNode(.table(nodes), at: position)
  }
}

// MARK: Headers, from the top table

extension TOMLTableBuilder {
  /// Opens the table of a header: `[a.b]`.
  func open(_ path: [String], position: SourcePosition) throws(Conflict) -> TOMLTableBuilder {
    let (parent, name) = try pass(path, position: position)
    switch parent.entries[name] {
    case nil: break
    case .table(let table) where table.origin == .passing:
      table.origin = .header
      return table
    case let entry?: throw Conflict(name: name, position: entry.position)
    }
    let table = TOMLTableBuilder(.header, position: position)
    parent.entries[name] = .table(table)
    return table
  }

  /// Appends a table to an array of tables: `[[a.b]]`.
  func append(_ path: [String], position: SourcePosition) throws(Conflict) -> TOMLTableBuilder {
    let (parent, name) = try pass(path, position: position)
    let table = TOMLTableBuilder(.header, position: position)
    switch parent.entries[name] {
    case nil: parent.entries[name] = .tables(Series(table))
    case .tables(let series): series.tables.append(table)
    case let entry?: throw Conflict(name: name, position: entry.position)
    }
    return table
  }

  /// Returns the table that contains the last name of a header's path.
  private func pass(_ path: [String], position: SourcePosition) throws(Conflict) -> (TOMLTableBuilder, String) {
    var table = self
    for name in path.dropLast() {
      switch table.entries[name] {
      case nil:
        let child = TOMLTableBuilder(.passing, position: position)
        table.entries[name] = .table(child)
        table = child
      case .table(let child): table = child
      case .tables(let series): table = series.tables.last ?? table
      case .value(let node): throw Conflict(name: name, position: node.position)
      }
    }
    return (table, path.last ?? "")
  }
}

// MARK: Keys, from the table of the header above

extension TOMLTableBuilder {
  /// Sets the value of a key: `a.b = value`.
  func set(_ path: [String], to value: ConfigurationNode, position: SourcePosition) throws(Conflict) {
    var table = self
    for name in path.dropLast() {
      switch table.entries[name] {
      case nil:
        let child = TOMLTableBuilder(.dottedKey, position: position)
        table.entries[name] = .table(child)
        table = child
      case .table(let child) where child.origin != .header:
        child.origin = .dottedKey
        table = child
      case let entry?: throw Conflict(name: name, position: entry.position)
      }
    }
    let name = path.last ?? ""
    if let entry = table.entries[name] { throw Conflict(name: name, position: entry.position) }
    table.entries[name] = .value(value)
  }
}

extension TOMLTableBuilder.Entry {
  fileprivate var position: SourcePosition? {
    switch self {
    case .value(let node): node.position
    case .table(let table): table.position
    case .tables(let series): series.tables.first?.position
    }
  }
}

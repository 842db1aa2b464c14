import ConfigurationTree
import TOML
import Venues

/// The text of a venue file with the places of its parts, which changes one table at a time.
struct VenueText {
  private(set) var text: String
  private let octets: [UInt8]
  private let nodes: [String: ConfigurationNode]
  private let layout: TOMLLayout
  private let lineEnd: String

  init(_ text: String) throws(VenueEditError) {
    self.text = text
    octets = Array(text.utf8)
    lineEnd = text.utf8.contains(13) ? "\r\n" : "\n"
    do throws(TOMLSyntaxError) { (nodes, layout) = try TOMLParser.layout(of: text) } catch {
      throw VenueEditError(line: error.line, error.message)
    }
  }

  // MARK: Changes

  /// Adds a table behind the last one of its kind, or at the end.
  mutating func add(_ values: [String: ConfigurationNode.Value], to kind: VenueTable.Kind) throws(VenueEditError) {
    if let (all, elements) = bracedList(of: kind) {
      let added = ConfigurationNode(.table(values.mapValues { ConfigurationNode($0) }))
      return replace([(all, Self.lines(of: elements + [added], lineEnd))])
    }
    let lines = ["[[\(kind.rawValue)]]"] + Self.sorted(values).map { "\($0.asTOMLKey) = \($1.toml(lineEnd))" }
    let place = headers(of: kind).last.map { end(ofHeader: $0, kind) } ?? octets.count
    let before = String(decoding: octets[..<place], as: UTF8.self)
    let gap = before.isEmpty || before.hasSuffix(lineEnd + lineEnd) ? "" : before.hasSuffix(lineEnd) ? lineEnd : lineEnd + lineEnd
    let table = lines.joined(separator: lineEnd) + lineEnd
    replace([(place..<place, gap + table + (place < octets.count ? lineEnd : ""))])
  }

  /// Removes a table with the tables in it.
  mutating func remove(_ table: VenueTable) throws(VenueEditError) {
    let node = try node(of: table)
    if let (all, elements) = bracedList(of: table.kind) {
      return replace([(all, Self.lines(of: elements[..<table.index] + elements[(table.index + 1)...], lineEnd))])
    }
    guard let header = layout.statements.firstIndex(where: { $0.isHeader && $0.position == node.position }) else {
      throw Self.foreign(table, node)
    }
    let ranges = ([header] + innerHeaders(of: header, table.kind)).compactMap {
      layout.table(at: layout.statements[$0].position, in: octets)
    }
    replace(ranges.map { ($0, "") })
    while text.hasSuffix(lineEnd + lineEnd) { text.removeLast() }
  }

  mutating func set(_ values: [String: ConfigurationNode.Value?], of table: VenueTable) throws(VenueEditError) {
    if table == VenueTable(.level, 0), nodes["level"] == nil {
      // A file without levels has one all the same.
      let id = ["id": ConfigurationNode.Value.text(VenueLevel.defaultID)]
      return try add(id.merging(values.compactMapValues(\.self)) { $1 }, to: .level)
    }
    let node = try node(of: table)
    guard case .table(let keys) = node.value else { throw Self.foreign(table, node) }
    let sorted = Self.sorted(values)
    guard let header = layout.statements.firstIndex(where: { $0.isHeader && $0.position == node.position }) else {
      guard octets(of: node) != nil else { throw Self.foreign(table, node) }
      var changed = keys
      for (key, value) in sorted { changed[key] = value.map { ConfigurationNode($0) } }
      return replace(changes(of: node, to: .table(changed)))
    }
    let own = layout.statements[(header + 1)...].prefix { !$0.isHeader }
    var changes: [(Range<Int>, String)] = []
    var added = ""
    for (key, value) in sorted {
      if let old = keys[key] {
        guard let range = octets(of: old), let statement = own.first(where: { $0.octets.contains(range.lowerBound) }) else {
          throw VenueEditError(line: old.position?.line, "\(key) is written in several parts; change it in the text")
        }
        if let value { changes += self.changes(of: old, to: value) } else { changes.append((line(of: statement), "")) }
      } else if let value {
        added += "\(lineEnd)\(key.asTOMLKey) = \(value.toml(lineEnd))"
      }
    }
    let last = own.last ?? layout.statements[header]
    if !added.isEmpty {
      let end = octets[last.octets.upperBound...].firstIndex { $0 == 10 || $0 == 13 } ?? octets.count
      changes.append((end..<end, added))
    }
    replace(changes)
  }

  // MARK: Places in the text

  private func node(of table: VenueTable) throws(VenueEditError) -> ConfigurationNode {
    guard case .list(let list)? = nodes[table.kind.rawValue]?.value, table.index < list.count else {
      throw VenueEditError("there is no \(table.kind.rawValue) \(table.index + 1) in the text any more; load the venue again")
    }
    return list[table.index]
  }

  private static func foreign(_ table: VenueTable, _ node: ConfigurationNode) -> VenueEditError {
    VenueEditError(line: node.position?.line, "\(table.kind.rawValue) is not a table of its own here; change it in the text")
  }

  /// The headers of the tables of a kind.
  private func headers(of kind: VenueTable.Kind) -> [Int] {
    guard case .list(let list)? = nodes[kind.rawValue]?.value else { return [] }
    let positions = Set(list.compactMap(\.position))
    return layout.statements.indices.filter { layout.statements[$0].isHeader && positions.contains(layout.statements[$0].position) }
  }

  /// The headers of tables that belong to the table of a header, such as `[[level.anchors]]`.
  private func innerHeaders(of header: Int, _ kind: VenueTable.Kind) -> [Int] {
    layout.statements.indices[(header + 1)...].filter { layout.statements[$0].isHeader }.prefix { index in
      let name = octets[layout.statements[index].octets].drop { $0 == UInt8(ascii: "[") || $0 == 32 || $0 == 9 }
      return name.starts(with: Array("\(kind.rawValue).".utf8))
    }.map(\.self)
  }

  /// The octet behind the table of a header and the tables in it.
  private func end(ofHeader header: Int, _ kind: VenueTable.Kind) -> Int {
    let last = innerHeaders(of: header, kind).last ?? header
    return layout.table(at: layout.statements[last].position, in: octets)?.upperBound ?? octets.count
  }

  /// The octets of a value; nil for one that headers or several statements make.
  private func octets(of node: ConfigurationNode) -> Range<Int>? { node.position.flatMap { layout.values[$0] } }

  /// The tables of a kind that are a list in brackets, `wall = [{ ... }]`; nil for those with headers.
  private func bracedList(of kind: VenueTable.Kind) -> (octets: Range<Int>, elements: [ConfigurationNode])? {
    guard let node = nodes[kind.rawValue], case .list(let elements) = node.value, let octets = octets(of: node) else { return nil }
    return (octets, elements)
  }

  /// The whole lines of a statement.
  private func line(of statement: TOMLLayout.Statement) -> Range<Int> {
    let start = octets[..<statement.octets.lowerBound].lastIndex(of: 10).map { $0 + 1 } ?? 0
    let end = octets[statement.octets.upperBound...].firstIndex(of: 10).map { $0 + 1 } ?? octets.count
    return start..<end
  }

  // MARK: Values

  /// The changes that turn a value into another one. Equal parts of lists and tables stay as they are written.
  private func changes(of old: ConfigurationNode, to new: ConfigurationNode.Value) -> [(Range<Int>, String)] {
    if old.value.isSame(as: new) { return [] }
    switch (old.value, new) {
    case (.list(let olds), .list(let news)) where olds.count == news.count:
      return zip(olds, news).flatMap { changes(of: $0, to: $1.value) }
    case (.table(let olds), .table(let news)) where olds.keys == news.keys:
      return olds.flatMap { key, node in news[key].map { changes(of: node, to: $0.value) } ?? [] }
    default: break
    }
    return octets(of: old).map { [($0, new.toml(lineEnd))] } ?? []
  }

  private mutating func replace(_ changes: [(range: Range<Int>, text: String)]) {
    var result = octets
    for change in changes.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      result.replaceSubrange(change.range, with: change.text.utf8)
    }
    text = String(decoding: result, as: UTF8.self)
  }

  private static func sorted<Value>(_ values: [String: Value]) -> [(key: String, value: Value)] {
    func rank(_ key: String) -> Int { VenueTable.Kind.keys.firstIndex(of: key) ?? VenueTable.Kind.keys.count }
    return values.sorted { rank($0.key) == rank($1.key) ? $0.key < $1.key : rank($0.key) < rank($1.key) }.map { ($0.key, $0.value) }
  }

  private static func lines(of list: some Collection<ConfigurationNode>, _ lineEnd: String) -> String {
    list.isEmpty ? "[]" : "[\(lineEnd)" + list.map { "  \($0.value.toml),\(lineEnd)" }.joined() + "]"
  }
}

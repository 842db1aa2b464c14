import ConfigurationTree
public import Records
import TOML

extension VenueEdit {
  /// Reads an edit of a client.
  ///
  /// `do` is `set` or `remove` with the `key` of a table such as `beacon/3`, or `add` with the kind `table`. `values` are TOML by their
  /// keys, such as `"[1.5, 2]"`; an empty text removes the key.
  public init(_ record: Record) throws(VenueEditError) {
    let values = record["values"]?.record
    switch record["do"]?.text {
    case "set":
      guard let values else { throw VenueEditError("the edit \"set\" has no values") }
      self = .set(try Self.table(record), try Self.values(values))
    case "add":
      guard let kind = record["table"]?.text.flatMap({ VenueTable.Kind(rawValue: $0) }), let values else {
        throw VenueEditError(
          "the edit \"add\" needs values and table, one of \(VenueTable.Kind.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      self = .add(kind, try Self.values(values).compactMapValues(\.self))
    case "remove": self = .remove(try Self.table(record))
    default: throw VenueEditError("do must be \"set\", \"add\" or \"remove\"")
    }
  }

  private static func table(_ record: Record) throws(VenueEditError) -> VenueTable {
    guard let table = record["key"]?.text.flatMap({ VenueTable($0) }) else {
      throw VenueEditError("key must name a table, such as beacon/3")
    }
    return table
  }

  private static func values(_ record: Record) throws(VenueEditError) -> [String: ConfigurationNode.Value?] {
    var values: [String: ConfigurationNode.Value?] = [:]
    for (key, value) in record.fields {
      guard let text = value.text else { throw VenueEditError("\(key): the value must be a text with TOML") }
      guard !text.isEmpty else {
        values.updateValue(nil, forKey: key)
        continue
      }
      let nodes: [String: ConfigurationNode]
      do throws(TOMLSyntaxError) { nodes = try TOMLParser.parse("value = \(text)") } catch {
        throw VenueEditError("\(key): \(error.message)")
      }
      guard nodes.count == 1, let node = nodes["value"] else { throw VenueEditError("\(key): the value must be one value of TOML") }
      values.updateValue(node.value, forKey: key)
    }
    return values
  }
}

extension VenueDrawing {
  /// The drawing as JSON: `id`, `name` and a list for each kind of table.
  public var json: String {
    var fields = VenueTable.Kind.allCases.map { kind in
      "\"\(kind.rawValue)\":[\((tables[kind] ?? []).map(\.json).joined(separator: ","))]"
    }
    if let name { fields.insert("\"name\":\(name.json)", at: 0) }
    if let id { fields.insert("\"id\":\(id.asJSON)", at: 0) }
    return "{\(fields.joined(separator: ","))}"
  }
}

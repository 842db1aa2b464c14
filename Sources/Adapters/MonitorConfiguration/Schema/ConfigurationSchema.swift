import ConfigurationTree
import Records

/// Makes the JSON Schema of a configuration, draft 7, from the keys that the readers declare.
public enum ConfigurationSchema {
  /// Returns the schema.
  ///
  /// - Parameter describe: Returns the text for the key at a path such as `["region", "dwell"]`; nil if it has none.
  public static func json(title: String, describe: ([String]) -> String?) -> String {
    var schema = SchemaObject()
    schema["$schema"] = .text("http://json-schema.org/draft-07/schema#")
    schema["title"] = .text(title)
    addTable([KeyRecorder.ofConfiguration()], [], describe, to: &schema)
    return SchemaNode.object(schema).text(indent: "") + "\n"
  }

  /// The paths of all keys, in the order of the readers.
  public static var paths: [[String]] { paths(KeyRecorder.ofConfiguration(), []) }

  private static func paths(_ keys: KeyRecorder, _ path: [String]) -> [[String]] {
    var result: [[String]] = []
    for key in keys.keys {
      let own = path + [key]
      result.append(own)
      switch keys.entries[key] {
      case .table(let table, _)?: result += paths(table, own)
      case .tables(let kinds, _)?: for kind in kinds { result += paths(kind, own) }
      case .value?, nil: break
      }
    }
    return result
  }

  /// Adds a table with the keys of all its kinds; only keys of every kind are required.
  private static func addTable(
    _ kinds: [KeyRecorder], _ path: [String], _ describe: ([String]) -> String?, to schema: inout SchemaObject
  ) {
    var properties = SchemaObject()
    for kind in kinds {
      for key in kind.keys where properties[key] == nil {
        let own = path + [key]
        var property = SchemaObject()
        property["description"] = describe(own).map(SchemaNode.text)
        switch kind.entries[key] {
        case .value(let form, let standard)?:
          form.add(to: &property)
          property["default"] = standard.map(SchemaNode.init)
        case .table(let table, _)?: addTable([table], own, describe, to: &property)
        case .tables(let kinds, _)?:
          var items = SchemaObject()
          addTable(kinds, own, describe, to: &items)
          property["type"] = .text("array")
          property["items"] = .object(items)
        case nil: break
        }
        properties[key] = .object(property)
      }
    }
    schema["type"] = .text("object")
    schema["additionalProperties"] = .flag(false)
    let required = properties.keys.filter { key in kinds.allSatisfy { $0.required.contains(key) } }
    if !required.isEmpty { schema["required"] = .list(required.map(SchemaNode.text)) }
    schema["properties"] = .object(properties)
  }
}

extension ValueForm {
  private var schema: SchemaNode {
    var schema = SchemaObject()
    add(to: &schema)
    return .object(schema)
  }

  /// Adds the rules for the values.
  fileprivate func add(to schema: inout SchemaObject) {
    switch self {
    case .time, .any: break
    case .flag: schema["type"] = .text("boolean")
    case .integer(let range):
      schema["type"] = .text("integer")
      schema["minimum"] = .integer(range.lowerBound)
      schema["maximum"] = .integer(range.upperBound)
    case .oneOf(let numbers): schema["enum"] = .list(numbers.map(SchemaNode.integer))
    case .number(let range):
      schema["type"] = .text("number")
      schema["minimum"] = .number(range.lowerBound)
      schema["maximum"] = .number(range.upperBound)
    case .uuid: schema.addText(matching: Self.uuidPattern)
    case .address: schema.addText(matching: Self.addressPattern)
    case .duration(let range): schema.addText(matching: QuantityPattern.durations(range))
    case .size(let range): schema.addText(matching: QuantityPattern.sizes(range))
    case .choice(let names): schema["enum"] = .list(names.map(SchemaNode.text))
    case .text(let length, let pattern):
      schema.addText(matching: pattern)
      if length.lowerBound > 0 { schema["minLength"] = .integer(length.lowerBound) }
      schema["maxLength"] = .integer(length.upperBound)
    case .url: schema.addText(matching: "^https?://[^/?#@\\s]+([/?#][!-~]*)?$")
    case .header: schema.addText(matching: nil)
    case .list(let element, let count, let isUnique):
      schema["type"] = .text("array")
      schema["items"] = element.schema
      if count.lowerBound > 0 { schema["minItems"] = .integer(count.lowerBound) }
      if count.upperBound < Int.max { schema["maxItems"] = .integer(count.upperBound) }
      if isUnique { schema["uniqueItems"] = .flag(true) }
    case .oneKey(let forms):
      var properties = SchemaObject()
      for (key, form) in forms { properties[key] = form.schema }
      schema["type"] = .text("object")
      schema["properties"] = .object(properties)
      schema["additionalProperties"] = .flag(false)
      schema["minProperties"] = .integer(1)
      schema["maxProperties"] = .integer(1)
    case .map(let keys, let form):
      var properties = SchemaObject()
      properties[keys] = form.schema
      schema["type"] = .text("object")
      schema["patternProperties"] = .object(properties)
      schema["additionalProperties"] = .flag(false)
    case .either(let forms): schema["anyOf"] = .list(forms.map(\.schema))
    }
  }
}

/// An object of JSON that keeps the order of its members.
private struct SchemaObject {
  private(set) var keys: [String] = []
  private var values: [String: SchemaNode] = [:]

  subscript(key: String) -> SchemaNode? {
    get { values[key] }
    set {
      guard let newValue else { return }
      if values.updateValue(newValue, forKey: key) == nil { keys.append(key) }
    }
  }

  mutating func addText(matching pattern: String?) {
    self["type"] = .text("string")
    self["pattern"] = pattern.map(SchemaNode.text)
  }
}

/// A value of JSON whose objects keep their order.
private indirect enum SchemaNode {
  case text(String)
  case integer(Int)
  case number(Double)
  case flag(Bool)
  case list([SchemaNode])
  case object(SchemaObject)

  init(_ value: ConfigurationNode.Value) {
    switch value {
    case .text(let text), .date(let text): self = .text(text)
    case .integer(let integer): self = .integer(integer)
    case .number(let number): self = .number(number)
    case .flag(let flag): self = .flag(flag)
    case .list(let nodes): self = .list(nodes.map { SchemaNode($0.value) })
    case .table(let nodes):
      var object = SchemaObject()
      for (key, node) in nodes.sorted(by: { $0.key < $1.key }) { object[key] = SchemaNode(node.value) }
      self = .object(object)
    }
  }

  func text(indent: String) -> String {
    switch self {
    case .text(let text): return text.asJSON
    case .integer(let integer): return "\(integer)"
    case .number(let number): return number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
    case .flag(let flag): return "\(flag)"
    case .list(let nodes): return "[\(nodes.map { $0.text(indent: indent) }.joined(separator: ", "))]"
    case .object(let object):
      guard !object.keys.isEmpty else { return "{}" }
      let lines = object.keys.map { "\(indent)  \($0.asJSON): \(object[$0]?.text(indent: indent + "  ") ?? "null")" }
      return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
    }
  }
}

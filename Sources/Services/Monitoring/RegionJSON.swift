import ConfigurationTree
import Instants
import Records

/// A definition of a region as one line of JSON, with the same keys as on the bus.
///
/// It is the stored form of a region that outlives the daemon.
enum RegionJSON {
  /// Returns the JSON of a definition that makes a region, which has neither lists nor tables.
  static func text(_ nodes: [String: ConfigurationNode]) -> String {
    var record = Record()
    for (key, node) in nodes.sorted(by: { $0.key < $1.key }) { record.append(key, RecordValue(node.value)) }
    return record.json
  }

  static func nodes(_ json: String) throws(JSONError) -> [String: ConfigurationNode] {
    var nodes: [String: ConfigurationNode] = [:]
    for (key, value) in try Record(json: json).fields { nodes[key] = ConfigurationNode(.init(value)) }
    return nodes
  }
}

extension RecordValue {
  fileprivate init?(_ value: ConfigurationNode.Value) {
    switch value {
    case .text(let text): self = .text(text)
    case .integer(let integer): self = .integer(Int64(integer))
    // Nine decimals of a degree keep distinct coordinates distinct.
    case .number(let number): self = .quantity(number, decimals: 9)
    case .flag(let flag): self = .flag(flag)
    case .date, .list, .table: return nil
    }
  }
}

extension ConfigurationNode.Value {
  fileprivate init(_ value: RecordValue) {
    switch value {
    case .text(let text): self = .text(text)
    case .count(let count): self = .integer(Int(clamping: count))
    case .integer(let integer): self = .integer(Int(integer))
    case .short(let short): self = .integer(Int(short))
    case .flag(let flag): self = .flag(flag)
    case .quantity(let number, _): self = .number(number)
    case .time(let time): self = .text(time.rfc3339)
    case .record: self = .table([:])
    case .list: self = .list([])
    }
  }
}

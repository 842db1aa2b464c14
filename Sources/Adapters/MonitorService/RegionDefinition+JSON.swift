import Instants
import MonitorProtocol
import Records
import TOML

// A region's definition as one line of JSON, with the keys that it has on the bus: what is kept of one that outlives the daemon.
extension RegionDefinition {
  /// Of a definition that makes a region: it has neither lists nor tables.
  public static func json(_ nodes: [String: TOMLNode]) -> String {
    var record = Record()
    for (key, node) in nodes.sorted(by: { $0.key < $1.key }) { record.append(key, RecordValue(node.value)) }
    return record.json
  }

  public static func nodes(json: String) throws(JSONError) -> [String: TOMLNode] {
    var nodes: [String: TOMLNode] = [:]
    for (key, value) in try Record(json: json).fields { nodes[key] = TOMLNode(value: .init(value), line: 1) }
    return nodes
  }
}

extension RecordValue {
  fileprivate init?(_ value: TOMLNode.Value) {
    switch value {
    case .text(let text): self = .text(text)
    case .integer(let integer): self = .integer(Int64(integer))
    // As much as tells two places of the earth apart.
    case .number(let number): self = .quantity(number, decimals: 9)
    case .flag(let flag): self = .flag(flag)
    case .date, .list, .table: return nil
    }
  }
}

extension TOMLNode.Value {
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

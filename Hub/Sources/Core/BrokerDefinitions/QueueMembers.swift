import Partitions

/// The nodes that have a copy of each queue, as `rabbitmqctl` prints them.
public struct QueueMembers {
  /// The largest number of nodes that RabbitMQ gives a queue by itself.
  private static let usualMembers = 3

  private let nodes: Int
  private let members: [(queue: String, count: Int)]

  /// Reads the tables of `rabbitmqctl`; nil if one is something else.
  ///
  /// - Parameters:
  ///   - status: the output of `cluster_status --formatter json`
  ///   - queues: that of `list_queues --no-table-headers name members`, such as `fleet.0`, a tab and `[rabbit@a, rabbit@b]`
  public init?(status: String, queues: String) {
    guard let nodes = Self.nodes(status: status) else { return nil }
    self.nodes = nodes
    var members: [(queue: String, count: Int)] = []
    for line in queues.split(whereSeparator: \.isNewline) {
      let columns = line.split(separator: "\t")
      guard columns.count == 2, columns[1].first == "[", columns[1].last == "]" else { return nil }
      members.append((String(columns[0]), columns[1].dropFirst().dropLast().split(separator: ",").count))
    }
    self.members = members
  }

  /// Returns the number of nodes in the output of `cluster_status --formatter json`; nil for other text.
  public static func nodes(status: String) -> Int? {
    let rest = status.filter { !$0.isWhitespace }.rest(behind: "\"disk_nodes\":[")
    return rest.map { $0.prefix { $0 != "]" }.split(separator: ",").count }
  }

  /// Returns a text about the queues of a hub that fewer nodes have than could; nil if there are none.
  public func warning(_ map: QueueMap) -> String? {
    let names = Set((0..<map.queues).map(QueueMap.name))
    let lacking = members.filter { names.contains($0.queue) && $0.count < min(nodes, Self.usualMembers) }.sorted { $0.queue < $1.queue }
    guard let first = lacking.first else { return nil }
    let others = lacking.count > 1 ? " and \(lacking.count - 1) more" : ""
    return
      "queue \(first.queue)\(others): \(first.count) of \(nodes) nodes have its messages; run \"rabbitmq-queues grow NODE all\" for each other node"
  }
}

extension String {
  /// Returns the text behind the first occurrence of another one; nil without one.
  fileprivate func rest(behind text: String) -> Substring? {
    indices.first { self[$0...].hasPrefix(text) }.map { self[$0...].dropFirst(text.count) }
  }
}

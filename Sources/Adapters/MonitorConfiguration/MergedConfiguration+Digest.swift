import ConfigurationTree
import Digests

extension MergedConfiguration {
  /// A number that is the same for equal keys and values.
  var digest: UInt64 {
    var digest = FowlerNollVo()
    digest.add(.table(nodes))
    return digest.value
  }

  /// The SHA-256 of the keys and values.
  var hash: [UInt8] {
    var octets = ContentOctets()
    octets.add(.table(nodes))
    return SHA256.hash(octets.octets)
  }
}

/// Takes the octets of keys and values, which are the same for equal ones.
protocol ContentSink {
  mutating func add(_ octet: UInt8)
}

private struct ContentOctets: ContentSink {
  private(set) var octets: [UInt8] = []

  mutating func add(_ octet: UInt8) { octets.append(octet) }
}

extension FowlerNollVo: ContentSink {}

extension ContentSink {
  mutating func add(_ node: ConfigurationNode.Value) {
    switch node {
    case .text, .integer, .number, .flag, .date: add(node.toml)
    case .list(let nodes):
      add("[")
      for node in nodes { add(node.value) }
      add("]")
    case .table(let nodes):
      add("{")
      for (key, node) in nodes.sorted(by: { $0.key < $1.key }) {
        add(key)
        add(node.value)
      }
      add("}")
    }
  }

  mutating func add(_ text: String) {
    for octet in text.utf8 { add(octet) }
    // No text of UTF-8 contains this octet, so that it separates texts.
    add(0xFF)
  }
}

/// The numeric address of a client. An address of IPv4 is the same in the form of IPv6, `::ffff:192.0.2.1`.
public struct ClientAddress: Hashable, Sendable {
  /// The eight groups of IPv6.
  private let groups: [UInt16]

  /// Parses a numeric address; nil for any other text, such as a name or an address with a port.
  public init?(_ text: some StringProtocol) {
    if let octets = Self.octets(text) {
      groups = [0, 0, 0, 0, 0, 0xFFFF] + octets
    } else {
      // The zone of a link-local address is not part of it.
      guard let groups = Self.groups(text.prefix { $0 != "%" }) else { return nil }
      self.groups = groups
    }
  }

  /// Parses an address as proxies write it, perhaps with a port: `192.0.2.1:80`, `[2001:db8::1]` or `[2001:db8::1]:80`.
  public init?(forwarded text: some StringProtocol) {
    let text = text.drop { $0 == " " }.prefix { $0 != " " }
    if text.hasPrefix("[") {
      let parts = text.dropFirst().split(separator: "]", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, parts[1].isEmpty || parts[1].hasPrefix(":") else { return nil }
      self.init(parts[0])
    } else if text.contains("."), let colon = text.lastIndex(of: ":"), text.firstIndex(of: ":") == colon {
      self.init(text[..<colon])
    } else {
      self.init(text)
    }
  }

  /// The text by which attempts are counted: an address of IPv4, or the first four groups of IPv6.
  ///
  /// A client of IPv6 has all 2^64 addresses of its network.
  public var network: String {
    guard groups[..<5].allSatisfy({ $0 == 0 }), groups[5] == 0xFFFF else {
      return groups[..<4].map { String($0, radix: 16) }.joined(separator: ":")
    }
    return groups[6...].flatMap { [$0 >> 8, $0 & 0xFF] }.map { String($0) }.joined(separator: ".")
  }

  /// Returns the two groups of an address of IPv4.
  private static func octets(_ text: some StringProtocol) -> [UInt16]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let octets = parts.compactMap { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } && $0.utf8.count <= 3 ? UInt8($0) : nil }
    guard parts.count == 4, octets.count == 4 else { return nil }
    return [UInt16(octets[0]) << 8 | UInt16(octets[1]), UInt16(octets[2]) << 8 | UInt16(octets[3])]
  }

  private static func groups(_ text: some StringProtocol) -> [UInt16]? {
    guard text.utf8.count <= 45, let gap = text.firstDoubleColon else {
      return list(text).flatMap { $0.count == 8 ? $0 : nil }
    }
    guard let head = list(text[..<gap]), let tail = list(text[text.index(gap, offsetBy: 2)...]), head.count + tail.count < 8 else {
      return nil
    }
    return head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail
  }

  /// Returns groups between colons, of which the last may be an address of IPv4.
  private static func list(_ text: some StringProtocol) -> [UInt16]? {
    guard !text.isEmpty else { return [] }
    var groups: [UInt16] = []
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      if index == parts.count - 1, let octets = octets(part) {
        groups += octets
      } else {
        guard (1...4).contains(part.utf8.count), part.allSatisfy(\.isHexDigit), let group = UInt16(part, radix: 16) else { return nil }
        groups.append(group)
      }
    }
    return groups
  }
}

extension StringProtocol {
  fileprivate var firstDoubleColon: Index? {
    indices.first { index in self[index] == ":" && self[self.index(after: index)...].first == ":" }
  }
}

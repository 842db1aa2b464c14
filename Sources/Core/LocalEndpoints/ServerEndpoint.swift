/// An address at which a server listens: one of this machine, or one of a network.
public enum ServerEndpoint: Hashable, Sendable {
  case local(LocalEndpoint)
  /// A numeric address, an IPv6 one in brackets, and a TCP port that other machines can reach.
  case network(String, UInt16)

  /// Reads the text of a local endpoint, or an address such as `192.168.1.5:8463`, `0.0.0.0:8463` or `[::]:8463`.
  ///
  /// - Parameters:
  ///   - access: the access to a socket
  ///   - examples: the remedy for any other text
  public init(text: String, access: SocketAccess, examples: String = LocalEndpoint.examples) throws(LocalEndpointError) {
    if let (host, port) = Self.parts(text) {
      self = .network(host, port)
    } else {
      self = .local(try LocalEndpoint(text: text, access: access, examples: examples))
    }
  }

  /// Returns the parts of a numeric address beyond the loopback interface; nil for any other text.
  private static func parts(_ text: String) -> (host: String, port: UInt16)? {
    guard !text.hasPrefix("/"), let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0 else {
      return nil
    }
    let host = String(text[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]"), host != "[::1]" {
      let digits = host.dropFirst().dropLast()
      return digits.count >= 2 && digits.allSatisfy { $0.isHexDigit || $0 == ":" } ? (host.lowercased(), port) : nil
    }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false).compactMap { UInt8($0) }
    let text = numbers.map(String.init).joined(separator: ".")
    guard numbers.count == 4, numbers[0] != 127, host == text else { return nil }
    return (host, port)
  }
}

extension ServerEndpoint: CustomStringConvertible {
  public var description: String {
    switch self {
    case .local(let endpoint): "\(endpoint)"
    case .network(let host, let port): "\(host):\(port)"
    }
  }
}

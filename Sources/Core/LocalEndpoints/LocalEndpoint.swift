/// An address that only programs of this machine can reach.
public enum LocalEndpoint: Hashable, Sendable {
  /// A Unix socket in the file system.
  case socket(path: String, access: SocketAccess)
  /// A TCP port of the loopback interface, for every user of the machine.
  case port(LoopbackAddress, UInt16)
}

/// The users that may connect to a Unix socket, by the mode of its file.
public enum SocketAccess: String, CaseIterable, Sendable {
  case owner
  /// The owner and the group of the service.
  case group
  case everyone

  /// The mode of the file: connecting requires the permission to write (unix(7)).
  public var mode: UInt32 {
    switch self {
    case .owner: 0o600
    case .group: 0o660
    case .everyone: 0o666
    }
  }
}

/// An address of the loopback interface: 127.0.0.0/8 (RFC 1122, 3.2.1.3) or ::1 (RFC 4291, 2.5.3).
public enum LoopbackAddress: Hashable, Sendable {
  /// The four octets.
  case ipv4(UInt8, UInt8, UInt8, UInt8)
  case ipv6
}

extension LoopbackAddress: CustomStringConvertible {
  /// The address as in a URL.
  public var description: String {
    switch self {
    case .ipv4(let a, let b, let c, let d): "\(a).\(b).\(c).\(d)"
    case .ipv6: "[::1]"
    }
  }
}

extension LocalEndpoint: CustomStringConvertible {
  public var description: String {
    switch self {
    case .socket(let path, _): path
    case .port(let address, let port): "\(address):\(port)"
    }
  }
}

/// The reason why a text is not a local endpoint, with its remedy.
public struct LocalEndpointError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}

extension LocalEndpoint {
  /// The maximum length of a socket's path in octets: `sun_path` has 108 with the final zero (unix(7)).
  public static let longestPath = 107

  /// The remedy for a text that is not the endpoint of metrics.
  public static let examples = "write a path such as \"/run/beaconmon/metrics.sock\" or a loopback port such as \"127.0.0.1:9851\""

  /// Reads `/run/beaconmon/metrics.sock`, `127.0.0.1:9851` or `[::1]:9851`.
  ///
  /// - Parameters:
  ///   - access: the access to a socket
  ///   - examples: the remedy for any other text
  public init(text: String, access: SocketAccess, examples: String = examples) throws(LocalEndpointError) {
    if text.hasPrefix("/") {
      self = .socket(path: try Self.path(text, examples), access: access)
    } else {
      let (address, port) = try Self.port(text, examples)
      self = .port(address, port)
    }
  }

  private static func path(_ text: String, _ examples: String) throws(LocalEndpointError) -> String {
    guard text.utf8.count <= longestPath else {
      throw LocalEndpointError("\"\(text)\" has \(text.utf8.count) octets; the path of a socket has at most \(longestPath)")
    }
    guard !text.hasSuffix("/"), !text.utf8.contains(0) else {
      throw LocalEndpointError("\"\(text)\" is not the path of a file; \(examples)")
    }
    return text
  }

  private static func port(_ text: String, _ examples: String) throws(LocalEndpointError) -> (LoopbackAddress, UInt16) {
    guard let colon = text.lastIndex(of: ":") else { throw LocalEndpointError("\"\(text)\" is neither a path nor a port; \(examples)") }
    let (host, number) = (text[..<colon], text[text.index(after: colon)...])
    guard number.allSatisfy({ $0.isASCII && $0.isNumber }), let port = UInt16(number), port > 0 else {
      throw LocalEndpointError("\"\(number)\" is not a port from 1 to 65535; \(examples)")
    }
    guard let address = loopback(host) else {
      throw LocalEndpointError(
        "\"\(host)\" is not an address of the loopback interface; write 127.0.0.1:\(port) or a path, and let a proxy serve the network")
    }
    return (address, port)
  }

  private static func loopback(_ host: Substring) -> LoopbackAddress? {
    if host == "[::1]" { return .ipv6 }
    let octets = host.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = octets.compactMap { $0.allSatisfy { $0.isASCII && $0.isNumber } ? UInt8($0) : nil }
    guard octets.count == 4, numbers.count == 4, numbers[0] == 127 else { return nil }
    return .ipv4(numbers[0], numbers[1], numbers[2], numbers[3])
  }
}

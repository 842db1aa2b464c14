public import LocalEndpoints

/// The settings of the page in the browser.
public struct WebSettings: Hashable, Sendable {
  public var endpoint = ServerEndpoint.local(.port(.ipv4(127, 0, 0, 1), 8463))
  /// Further names of the page in its addresses, in lower case.
  public var hosts: [String] = []
  /// The files of the certificate with its chain and of its key; nil without TLS.
  public var certificate: String?
  public var key: String?
  /// The header in which a proxy names the user whom it has authenticated; nil without such a proxy.
  public var proxyUserHeader: String?
  /// The users of the proxy that may change venues.
  public var editors: [String] = []

  public init() {}
}

extension WebSettings {
  /// The hosts at which the server listens on all interfaces.
  private static let allInterfaces = ["0.0.0.0", "[::]"]

  /// The names that the page has in the addresses of browsers.
  public var names: Set<String> {
    guard case .network(let host, _) = endpoint, !Self.allInterfaces.contains(host) else { return Set(hosts) }
    return Set(hosts + [host])
  }

  /// The address of the page, without a slash at its end.
  public var address: String {
    let scheme = certificate == nil ? "http" : "https"
    switch endpoint {
    case .local(.port(let address, let port)): return "\(scheme)://\(address):\(port)"
    // A proxy connects to the socket.
    case .local(.socket): return "https://\(hosts.first ?? "localhost")"
    case .network(let host, let port):
      let name = hosts.first ?? (Self.allInterfaces.contains(host) ? "localhost" : host)
      return "\(scheme)://\(name)\(port == 443 ? "" : ":\(port)")"
    }
  }
}

extension ConfigurationReader {
  static func web(_ table: consuming TableReader) -> WebSettings {
    var settings = WebSettings()
    let access = table.read("access", as: .socketAccess)
    if let endpoint = table.read("listen", as: .serverEndpoint(access ?? .group)) { settings.endpoint = endpoint }
    settings.hosts = (table.read("hosts", as: .hostNames) ?? []).map { $0.lowercased() }
    settings.certificate = table.read("certificate", as: .absolutePath)
    settings.key = table.read("key", as: .absolutePath)
    settings.proxyUserHeader = table.read("proxy-user-header", as: .headerName)
    settings.editors = table.read("editors", as: .oneOrMore(example: "anna")) ?? []
    if case .local(.socket(let path, _)) = settings.endpoint { table.refer("listen", to: .socket(path, of: .web)) }
    check(settings, hasAccess: access != nil, &table)
    table.finish()
    return settings
  }

  private static func check(_ settings: WebSettings, hasAccess: Bool, _ table: inout TableReader) {
    if settings.certificate != nil, settings.key == nil { table.report("certificate", "requires its key; add key") }
    if settings.key != nil, settings.certificate == nil { table.report("key", "requires its certificate; add certificate") }
    if settings.proxyUserHeader == nil, !settings.editors.isEmpty {
      table.report("editors", "are users of a proxy; add proxy-user-header, or remove editors")
    }
    if case .network(let host, _) = settings.endpoint {
      if settings.certificate == nil {
        table.report(
          "listen",
          "other machines can reach \(host), and logins would cross the network unencrypted; add certificate and key")
      }
      if settings.proxyUserHeader != nil {
        table.report("proxy-user-header", "could be sent by every machine that reaches \(host); let listen be a socket or a loopback port")
      }
    }
    if case .local(.socket) = settings.endpoint { return }
    if hasAccess { table.report("access", "has no effect for a port; write a path in listen, or remove access") }
  }
}

extension ValueDecoder where Value == ServerEndpoint {
  fileprivate static func serverEndpoint(_ access: SocketAccess) -> ValueDecoder {
    ValueDecoder(.text(1...LocalEndpoint.longestPath, pattern: "^(/.*[^/]|[0-9.]+:[0-9]+|\\[[0-9A-Fa-f:]+\\]:[0-9]+)$")) {
      node throws(DecodingIssue) in
      let text = try ValueDecoder<String>.text(example: "127.0.0.1:8463").decode(node)
      do throws(LocalEndpointError) { return try ServerEndpoint(text: text, access: access) } catch {
        throw DecodingIssue(error.description)
      }
    }
  }
}

extension ValueDecoder where Value == [String] {
  /// Names of hosts without ports.
  fileprivate static var hostNames: ValueDecoder {
    ValueDecoder(.either([.text(), .list(.text(), count: 1...Int.max)])) { node throws(DecodingIssue) in
      let names = try ValueDecoder.oneOrMore(example: "gallery.example").decode(node)
      for name in names where !name.isHostName {
        throw DecodingIssue("\(name.quoted) is not the name of a host; write it as in the address of the page, without a port")
      }
      return names
    }
  }
}

extension ValueDecoder where Value == String {
  /// The name of an HTTP header (RFC 9110, 5.1).
  fileprivate static var headerName: ValueDecoder {
    ValueDecoder(.text(1...100, pattern: "^[A-Za-z0-9-]+$")) { node throws(DecodingIssue) in
      let text = try ValueDecoder.text(example: "X-Remote-User").decode(node)
      guard (1...100).contains(text.utf8.count), text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }) else {
        throw DecodingIssue("\(text.quoted) is not the name of a header such as \"X-Remote-User\"")
      }
      return text
    }
  }
}

extension String {
  fileprivate var isHostName: Bool {
    let isBracketed = hasPrefix("[") && hasSuffix("]") && dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" }
    return isBracketed && utf8.count > 4
      || (1...253).contains(utf8.count) && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") }
  }
}

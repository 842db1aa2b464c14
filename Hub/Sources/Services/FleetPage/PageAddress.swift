public import LocalEndpoints
import People

/// The endpoint of the page, and the way in which browsers and a proxy reach it.
public struct PageAddress: Hashable, Sendable {
  /// The settings of an administrator as texts; nil for one that is not set.
  public struct Options: Hashable, Sendable {
    public var (listen, url, certificate, key): (String?, String?, String?, String?)
    public var (proxy, proxyUserHeader): (String?, String?)

    public init(
      listen: String? = nil, url: String? = nil, certificate: String? = nil, key: String? = nil, proxy: String? = nil,
      proxyUserHeader: String? = nil
    ) {
      (self.listen, self.url, self.certificate, self.key) = (listen, url, certificate, key)
      (self.proxy, self.proxyUserHeader) = (proxy, proxyUserHeader)
    }
  }

  public let endpoint: ServerEndpoint
  public private(set) var settings = FleetPage.Settings()
  /// The maximum number of connections of one address; nil without a limit.
  ///
  /// Behind a proxy, and on the loopback interface, all clients have one address.
  public private(set) var connectionsOfAddress: Int?

  /// - Parameter version: The version of the program, which the page shows.
  public init(_ options: Options, version: String) throws(PageAddressError) {
    let listen = options.listen ?? "127.0.0.1:8480"
    let examples = "write an address such as \"127.0.0.1:8480\" or a path such as \"/run/beaconmon-hub/web.sock\""
    do { endpoint = try ServerEndpoint(text: listen, access: .group, examples: examples) } catch {
      throw PageAddressError("--listen: \(error)")
    }
    let hasCertificate = options.certificate != nil
    guard hasCertificate == (options.key != nil) else {
      throw PageAddressError(
        "--certificate and --key, or BEACONMON_HUB_WEB_CERTIFICATE and BEACONMON_HUB_WEB_KEY, belong together; give both or neither")
    }
    if case .network(let host, _) = endpoint {
      guard hasCertificate else {
        throw PageAddressError(
          "\(listen) is reachable for other machines, so that passwords need TLS; use --certificate and --key, "
            + "or BEACONMON_HUB_WEB_CERTIFICATE and BEACONMON_HUB_WEB_KEY, or a proxy on this machine")
      }
      settings.host = host
      if options.proxy == nil { connectionsOfAddress = 48 }
    }
    settings.isEncrypted = hasCertificate
    if let url = options.url { (settings.host, settings.isEncrypted) = try Self.parts(url) }
    settings.proxy = try proxy(options)
    (settings.proxyUserHeader, settings.version) = (options.proxyUserHeader, version)
  }

  /// Returns the host of an address of the page, and whether browsers reach it over TLS.
  private static func parts(_ url: String) throws(PageAddressError) -> (host: String, isEncrypted: Bool) {
    let lowercase = url.lowercased()
    let scheme = ["https://", "http://"].first { lowercase.hasPrefix($0) }
    let host = scheme.map { lowercase.dropFirst($0.count).prefix { $0 != ":" && $0 != "/" } } ?? ""
    guard let scheme, !host.isEmpty else { throw PageAddressError("\"\(url)\" is not the address of a page; write https://HOST") }
    return (String(host), scheme == "https://")
  }

  /// Returns the address of the proxy that names people. Clients of a Unix socket may name them without an address.
  private func proxy(_ options: Options) throws(PageAddressError) -> ClientAddress? {
    if case .local(.socket) = endpoint {
    } else if options.proxyUserHeader != nil, options.proxy == nil {
      throw PageAddressError("--proxy-user-header needs --proxy, because any other client could state a name; or listen on a Unix socket")
    }
    guard let text = options.proxy else { return nil }
    guard let address = ClientAddress(text) else {
      throw PageAddressError("--proxy: \"\(text)\" is not a numeric address; write one such as 192.0.2.9")
    }
    return address
  }
}

/// The reason why the page cannot be served as its options say, with the remedy.
public struct PageAddressError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}

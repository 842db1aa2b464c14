import LocalEndpoints

extension ConfigurationReader {
  /// Reads a table `metrics`, and returns the endpoint; nil if the table has no `listen`, which disables the metrics.
  static func metrics(_ table: consuming TableReader, of service: ConfiguredService) -> LocalEndpoint? {
    let access = table.read("access", as: .socketAccess)
    let endpoint = table.read("listen", as: .localEndpoint(access ?? .group))
    if access != nil, !table.has("listen") {
      table.report("access", "has no effect without listen, which enables the metrics; add listen")
    } else if access != nil, case .port = endpoint {
      table.report(
        "access", "has no effect for a port, which every user of this machine can reach; write a path in listen, or remove access")
    }
    switch endpoint {
    case .socket(let path, _): table.refer("listen", to: .socket(path, of: service))
    case .port: table.refer("listen", to: .port(of: service))
    case nil: break
    }
    table.finish()
    return endpoint
  }
}

extension ValueDecoder where Value == SocketAccess {
  static var socketAccess: ValueDecoder {
    ValueDecoder(.choice(SocketAccess.allCases.map(\.rawValue))) { node throws(DecodingIssue) in
      let text = try ValueDecoder<String>.text(example: "group").decode(node)
      guard let access = SocketAccess(rawValue: text) else {
        throw DecodingIssue("\(text.quoted) is not an access; write \"owner\", \"group\" or \"everyone\"")
      }
      return access
    }
  }
}

extension ValueDecoder where Value == LocalEndpoint {
  fileprivate static func localEndpoint(_ access: SocketAccess) -> ValueDecoder {
    ValueDecoder(.text(1...LocalEndpoint.longestPath, pattern: "^(/.*[^/]|127(\\.[0-9]+){3}:[0-9]+|\\[::1\\]:[0-9]+)$")) {
      node throws(DecodingIssue) in
      let text = try ValueDecoder<String>.text(example: "/run/beaconmon/metrics.sock").decode(node)
      do throws(LocalEndpointError) { return try LocalEndpoint(text: text, access: access) } catch {
        throw DecodingIssue(error.description)
      }
    }
  }
}

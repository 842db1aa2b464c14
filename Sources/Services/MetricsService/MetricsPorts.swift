/// A server that answers requests at a local endpoint until it is released.
public protocol MetricsServer: AnyObject {
  /// Whether clients still find the endpoint: another program may have removed or replaced the file of a socket.
  var isReachable: Bool { get }
}

/// The answer to a request.
public struct MetricsResponse: Hashable, Sendable {
  /// The status code of HTTP.
  public var status: Int
  public var contentType: String
  public var body: String

  public init(status: Int = 200, contentType: String = "text/plain; charset=utf-8", _ body: String) {
    (self.status, self.contentType, self.body) = (status, contentType, body)
  }
}

/// The reason why no server listens, with its remedy.
public struct MetricsServerFailure: Error, Hashable, Sendable {
  public let reason: String

  public init(_ reason: String) {
    self.reason = reason
  }
}

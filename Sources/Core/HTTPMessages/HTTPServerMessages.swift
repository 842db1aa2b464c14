/// A request whose content has arrived.
public struct HTTPServerRequest {
  public enum Method: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
  }

  public let method: Method
  /// The path of the URL without its query.
  public let path: String
  /// The content, at most as long as the server permits.
  public let content: [UInt8]
  /// The numeric address of the client; nil for a client of a Unix socket.
  public let client: String?
  private let findHeader: (String) -> String?
  private let findHeaders: ((String) -> [String])?
  private let findArgument: (String) -> String?

  public init(
    method: Method, path: String, content: [UInt8] = [], client: String? = nil,
    findHeader: @escaping (String) -> String? = { _ in nil }, findHeaders: ((String) -> [String])? = nil,
    findArgument: @escaping (String) -> String? = { _ in nil }
  ) {
    (self.method, self.path, self.content, self.client) = (method, path, content, client)
    (self.findHeader, self.findHeaders, self.findArgument) = (findHeader, findHeaders, findArgument)
  }

  /// Returns the value of a header, whose name has any case. Only valid until the request is answered.
  ///
  /// A header that comes several times has its first value here.
  public func header(_ name: String) -> String? { findHeader(name) }

  /// Returns the values of a header that may come several times, in their order. Only valid until the request is answered.
  public func headers(_ name: String) -> [String] { findHeaders?(name) ?? findHeader(name).map { [$0] } ?? [] }

  /// Returns the decoded value of an argument in the query. Only valid until the request is answered.
  public func argument(_ name: String) -> String? { findArgument(name) }
}

/// An open file as the body of a response.
public final class HTTPServerFile {
  public let size: Int
  private var descriptor: Int32?
  private let close: (Int32) -> Void

  /// - Parameter close: closes the descriptor of a file that was not sent.
  public init(_ descriptor: Int32, size: Int, close: @escaping (Int32) -> Void) {
    (self.descriptor, self.size, self.close) = (descriptor, size, close)
  }

  deinit {
    if let descriptor { close(descriptor) }
  }

  /// Returns the descriptor, which the caller closes; nil the second time.
  public func take() -> Int32? {
    defer { descriptor = nil }
    return descriptor
  }
}

/// A response with a body, or the beginning of a stream of events.
public struct HTTPServerResponse {
  public enum Body {
    case text(String)
    case file(HTTPServerFile)
    /// Server-sent events, which follow as long as the client reads.
    case events(EventStream)
  }

  public var status: Int
  /// All headers. Each name occurs once.
  public private(set) var headers: [(name: String, value: String)]
  public var body: Body

  public init(
    status: Int = 200, contentType: String = "text/plain; charset=utf-8", headers: [(name: String, value: String)] = [], _ body: Body
  ) {
    (self.status, self.body) = (status, body)
    self.headers = [
      ("Content-Type", contentType), ("Connection", "close"), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
    ]
    for header in headers { set(header.name, header.value) }
  }

  public init(
    status: Int = 200, contentType: String = "text/plain; charset=utf-8", headers: [(name: String, value: String)] = [], _ text: String
  ) {
    self.init(status: status, contentType: contentType, headers: headers, .text(text))
  }

  public init(events: EventStream) {
    self.init(contentType: "text/event-stream; charset=utf-8", .events(events))
  }

  /// Adds a header, or replaces the one of the same name.
  public mutating func set(_ name: String, _ value: String) {
    headers.removeAll { $0.name == name }
    headers.append((name, value))
  }

  public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

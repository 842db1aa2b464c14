public import Instants

/// The limits of an HTTP server that a client cannot exceed.
public struct HTTPServerLimits: Hashable, Sendable {
  public var connections = 8
  /// The connections of one address; nil for no other limit.
  public var connectionsOfAddress: Int?
  /// The time without traffic after which a connection ends.
  public var idle = Span.seconds(5)
  /// The time after which a connection ends in any case.
  public var duration = Span.seconds(10)
  /// The octets of a request with its headers.
  public var requestSize = 16_384
  /// The octets of a request's content. Without any, GET and HEAD are the only methods.
  public var contentSize = 0
  /// The time without traffic after which a stream of events ends, although octets wait for its client.
  public var streamIdle = Span.seconds(60)

  public init() {}
}

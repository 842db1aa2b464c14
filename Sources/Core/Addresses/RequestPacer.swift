public import Instants

/// Decides when the next request may be sent to a server that others share.
///
/// At most one request a second, as the policy of Nominatim demands, and a pause after a failure that doubles with each further one.
public struct RequestPacer: Hashable, Sendable {
  /// The time between two requests.
  public static let interval = Span.seconds(1)
  /// The longest pause that a server decides about.
  static let longestDemand = Span.seconds(86_400)

  /// The time from which the next request may be sent.
  public private(set) var next = Instant(microseconds: .min)
  /// The pauses after failures, as far as this device decides about them.
  private var backoff = Backoff(from: .seconds(10), to: .seconds(3600))
  /// The number of failures since the last success.
  public var failures: Int { backoff.failures }

  public init() {}

  /// Applies that a request is sent.
  public mutating func send(at time: Instant) { next = max(next, time + Self.interval) }

  /// Applies that the server answered.
  public mutating func succeed() { backoff.reset() }

  /// Applies a failure.
  ///
  /// - Parameter demand: the pause that the server demands; nil without one.
  public mutating func fail(at time: Instant, demand: Span?) {
    next = max(next, time + backoff.next(atLeast: min(demand ?? .zero, Self.longestDemand)))
  }
}

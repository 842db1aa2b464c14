import Instants

/// The connections of a simulated device: when it connects to which node of the broker, and when it gives up.
public struct ConnectionSchedule: Sendable {
  /// The time within which a node has to accept a connection.
  static let patience = Span.seconds(15)

  /// Whether the broker has accepted the connection and it has not been cut.
  public private(set) var isUp = false
  /// The number of the node of the present or the last connection; it counts on beyond the number of nodes.
  public private(set) var node: Int
  /// The number of attempts to connect.
  public private(set) var attempts = 0
  private var isDead = true
  private var startedAt = Instant(microseconds: 0)
  private var retryAt: Instant

  /// - Parameters:
  ///   - node: the number before that of the first node
  ///   - start: the time of the first attempt
  public init(after node: Int, from start: Instant) { (self.node, retryAt) = (node, start) }

  /// Notes that the connection has ended, or could not begin.
  public mutating func noteEnd() { isDead = true }

  /// Notes that the broker has accepted the connection.
  public mutating func noteAccepted() { isUp = true }

  /// Gives up the connection, and begins another one after a pause.
  public mutating func cut(at now: Instant, for pause: Span) { (isDead, isUp, retryAt) = (true, false, now + pause) }

  /// Returns whether to connect to `node` now.
  public mutating func takeAttempt(at now: Instant, using random: inout some RandomNumberGenerator) -> Bool {
    if !isDead, !isUp, now - startedAt > Self.patience { isDead = true }
    guard isDead else { return false }
    if isUp { (isUp, retryAt) = (false, now + .milliseconds(.random(in: 100...500, using: &random))) }
    guard now >= retryAt else { return false }
    (node, attempts, isDead) = (node + 1, attempts + 1, false)
    (startedAt, retryAt) = (now, now + .milliseconds(.random(in: 500...1500, using: &random)))
    return true
  }
}

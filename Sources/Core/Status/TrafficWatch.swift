/// Finds a connection on which messages wait and none moves from one check to the next.
public struct TrafficWatch: Hashable, Sendable {
  /// The traffic at the last check; nil if nothing waited to be sent then.
  private var last: UInt64?

  public init() {}

  /// Returns whether messages wait as at the last check, and none was sent or received since then.
  ///
  /// - Parameters:
  ///   - hasWaiting: whether messages wait to be sent.
  ///   - traffic: the number of messages that were sent and received.
  public mutating func isStuck(hasWaiting: Bool, traffic: UInt64) -> Bool {
    defer { last = hasWaiting ? traffic : nil }
    return hasWaiting && traffic == last
  }
}

import Instants

/// Limits the rate at which a device sends a backlog to its hub, beside new messages that are sent at once.
public struct SendingAllowance: Sendable {
  /// The rate of the backlog in messages per second; a second of it can be sent at once.
  public static let rate = 20.0
  /// The largest number of messages that wait for their acknowledgement.
  public static let window = 8

  private var count = Self.rate
  private var time: Instant

  public init(at now: Instant) { time = now }

  /// Permits as many messages in addition, which are new.
  public mutating func add(_ new: Int, at now: Instant) {
    pass(to: now)
    count = min(count + Double(new), Self.rate + Double(new))
  }

  /// Takes the permission for a message; returns the time of the next one if there is none.
  public mutating func take(at now: Instant) -> Instant? {
    pass(to: now)
    guard count < 1 else {
      count -= 1
      return nil
    }
    return now + .seconds((1 - count) / Self.rate) + .milliseconds(1)
  }

  private mutating func pass(to now: Instant) {
    count = max(count, min(count + max(0, (now - time).seconds) * Self.rate, Self.rate))
    time = now
  }
}

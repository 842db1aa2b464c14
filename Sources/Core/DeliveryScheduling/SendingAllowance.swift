import Instants

/// Limits the rate of a backlog, beside new messages that are sent at once.
struct SendingAllowance {
  private let perSecond: Double
  private let most: Double
  private var count: Double
  private var time: Instant

  /// - Parameter perSecond: the rate of the backlog; a second of it can be sent at once.
  init(perSecond: Double, at now: Instant) {
    (self.perSecond, most, count, time) = (perSecond, perSecond, perSecond, now)
  }

  /// Permits as many messages in addition, which are new.
  mutating func add(_ new: Int, at now: Instant) {
    pass(to: now)
    count = min(count + Double(new), most + Double(new))
  }

  /// Takes the permission for a message; returns the time of the next one if there is none.
  mutating func take(at now: Instant) -> Instant? {
    pass(to: now)
    guard count < 1 else {
      count -= 1
      return nil
    }
    return now + .seconds((1 - count) / perSecond) + .milliseconds(1)
  }

  private mutating func pass(to now: Instant) {
    count = max(count, min(count + max(0, (now - time).seconds) * perSecond, most))
    time = now
  }
}

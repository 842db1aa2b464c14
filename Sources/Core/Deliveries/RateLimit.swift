import Instants

/// So many in any minute, spread by a token bucket: what was not used in one minute can be used at once, and no more.
public struct RateLimit: Hashable, Sendable {
  private let perMinute: Int
  private var tokens: Double
  private var counted: Instant

  /// - Parameter perMinute: positive.
  public init(perMinute: Int, at now: Instant) {
    self.perMinute = perMinute
    tokens = Double(perMinute)
    counted = now
  }

  /// When the next one is allowed: now or later.
  public func next(at now: Instant) -> Instant {
    let tokens = tokens(at: now)
    return tokens >= 1 ? now : now + .seconds((1 - tokens) * 60 / Double(perMinute)) + Span(microseconds: 1)
  }

  public mutating func take(at now: Instant) {
    tokens = tokens(at: now) - 1
    counted = now
  }

  private func tokens(at now: Instant) -> Double {
    min(Double(perMinute), tokens + (now - counted).seconds * Double(perMinute) / 60)
  }
}

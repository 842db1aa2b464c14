import Instants

/// So many in any minute, wherever it begins: what was not used can be used at once, and no more.
///
/// Takes eight octets for each that is allowed in a minute, from when they are used.
public struct RateLimit: Hashable, Sendable {
  private static let minute = Span.seconds(60)

  private let perMinute: Int
  /// The latest attempts, at most `perMinute`; a ring once it is full.
  private var times: [Instant] = []
  /// Where the oldest of a full ring is.
  private var oldest = 0

  /// - Parameter perMinute: positive.
  public init(perMinute: Int) {
    self.perMinute = perMinute
  }

  /// When the next one is allowed: now or later.
  public func next(at now: Instant) -> Instant {
    times.count < perMinute ? now : max(now, times[oldest] + Self.minute)
  }

  public mutating func take(at now: Instant) {
    if times.count < perMinute {
      times.append(now)
    } else {
      times[oldest] = now
      oldest = (oldest + 1) % perMinute
    }
  }
}

import Instants

/// Limits the number of attempts in any minute, wherever the minute begins.
/// Unused attempts can be made at once, but no more than the limit.
///
/// The limit takes eight octets for each attempt that is allowed in a minute, once it was made.
public struct RateLimit: Hashable, Sendable {
  private static let minute = Span.seconds(60)

  private let perMinute: Int
  /// The times of the latest attempts, at most `perMinute`; a ring once it is full.
  private var times: [Instant] = []
  /// The index of the oldest time in a full ring.
  private var oldest = 0

  /// Creates a limit.
  ///
  /// - Parameter perMinute: positive.
  public init(perMinute: Int) {
    self.perMinute = perMinute
  }

  /// Returns when the next attempt is allowed: now or later.
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

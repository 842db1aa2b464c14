import Instants

/// Schedules snapshots at every whole second of the source's clock.
/// The same capture thus gives the same snapshots however it is read.
public struct RangingTicker: Hashable, Sendable {
  private static let period: Int64 = 1_000_000

  /// The next snapshot's time.
  public private(set) var next: Instant

  public init(after start: Instant) {
    next = Instant(microseconds: (start.microseconds / Self.period + 1) * Self.period)
  }

  /// Returns the next tick that is due once everything before `time` is known; `nil` if none is. Call it until it is `nil`.
  public mutating func due(by time: Instant) -> Instant? {
    guard next <= time else { return nil }
    defer { next += Span(microseconds: Self.period) }
    return next
  }
}

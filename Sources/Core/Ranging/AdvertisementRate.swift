import Instants

/// Advertisements per second over a sliding window of five seconds, from two counters.
public struct AdvertisementRate: Hashable, Sendable {
  private static let window = Span(microseconds: 5_000_000)

  private let first: Instant
  private var start: Instant
  private var current: UInt32
  private var previous: UInt32

  public init(from time: Instant) {
    first = time
    start = time
    current = 0
    previous = 0
  }

  public mutating func count(_ advertisements: Int = 1, at time: Instant) {
    if time - start >= Self.window { roll(to: time) }
    current &+= UInt32(truncatingIfNeeded: advertisements)
  }

  /// Returns the advertisements per second in the window before `time`, or in the shorter time since the start.
  public func perSecond(at time: Instant) -> Double {
    var copy = self
    if time - start >= Self.window { copy.roll(to: time) }
    let inWindow = (time - copy.start).seconds
    let share = 1 - inWindow / Self.window.seconds
    let length = Swift.min(Self.window.seconds, Swift.max(1, (time - first).seconds))
    return (Double(copy.current) + Double(copy.previous) * share) / length
  }

  private mutating func roll(to time: Instant) {
    let windows = (time - start).microseconds / Self.window.microseconds
    previous = windows == 1 ? current : 0
    current = 0
    start += Span(microseconds: windows * Self.window.microseconds)
  }
}

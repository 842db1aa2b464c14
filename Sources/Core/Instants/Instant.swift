/// A point in time, in microseconds since an origin that its source chooses.
///
/// A capture counts from the Unix epoch, a live source from boot. The engine compares instants and never needs the origin. Programs convert
/// instants to the wall clock at input and output.
public struct Instant: Hashable, Comparable, Sendable {
  public var microseconds: Int64

  @inlinable
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// An instant later than all others: a deadline that is not set.
  @inlinable
  public static var never: Instant { Instant(microseconds: .max) }

  @inlinable
  public static func < (a: Instant, b: Instant) -> Bool { a.microseconds < b.microseconds }

  /// Adds a span and saturates, so that `.never` stays `.never`.
  @inlinable
  public static func + (instant: Instant, span: Span) -> Instant {
    Instant(microseconds: instant.microseconds.saturatingAdded(to: span.microseconds))
  }

  @inlinable
  public static func += (instant: inout Instant, span: Span) {
    instant = instant + span
  }

  /// Subtracts a span and saturates.
  @inlinable
  public static func - (instant: Instant, span: Span) -> Instant { instant + (.zero - span) }

  @inlinable
  public static func - (a: Instant, b: Instant) -> Span {
    let (difference, overflow) = a.microseconds.subtractingReportingOverflow(b.microseconds)
    return Span(microseconds: overflow ? (a < b ? .min : .max) : difference)
  }
}

/// A point in time, in microseconds since an origin that its source chooses.
///
/// A capture counts from the Unix epoch, a live source from boot. The engine compares instants and never asks for the origin;
/// the wall clock is stamped at the edge.
public struct Instant: Hashable, Comparable, Sendable {
  public var microseconds: Int64

  @inlinable
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// Later than anything that happens: a deadline that is not set.
  @inlinable
  public static var never: Instant { Instant(microseconds: .max) }

  @inlinable
  public static func < (a: Instant, b: Instant) -> Bool { a.microseconds < b.microseconds }

  /// Saturates, so `.never` stays `.never`.
  @inlinable
  public static func + (instant: Instant, span: Span) -> Instant {
    Instant(microseconds: instant.microseconds.saturatingAdded(to: span.microseconds))
  }

  @inlinable
  public static func += (instant: inout Instant, span: Span) {
    instant = instant + span
  }

  /// Saturates.
  @inlinable
  public static func - (instant: Instant, span: Span) -> Instant { instant + (.zero - span) }

  @inlinable
  public static func - (a: Instant, b: Instant) -> Span {
    let (difference, overflow) = a.microseconds.subtractingReportingOverflow(b.microseconds)
    return Span(microseconds: overflow ? (a < b ? .min : .max) : difference)
  }
}

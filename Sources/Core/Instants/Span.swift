/// A length of time in whole microseconds, which may be negative.
///
/// Arithmetic saturates: no input, however absurd, traps.
public struct Span: Hashable, Comparable, Sendable {
  public var microseconds: Int64

  @inlinable
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  public static let zero = Span(microseconds: 0)

  /// Returns the nearest whole microsecond; NaN gives zero, and values out of range saturate.
  @inlinable
  public static func seconds(_ value: Double) -> Span {
    let microseconds = (value * 1e6).rounded()
    if microseconds.isNaN { return .zero }
    return Span(microseconds: Int64(exactly: microseconds) ?? (microseconds < 0 ? .min : .max))
  }

  @inlinable
  public static func milliseconds(_ value: Int64) -> Span {
    Span(microseconds: value.saturatingMultiplied(by: 1000))
  }

  @inlinable
  public var seconds: Double { Double(microseconds) / 1e6 }

  @inlinable
  public static func < (a: Span, b: Span) -> Bool { a.microseconds < b.microseconds }

  @inlinable
  public static func + (a: Span, b: Span) -> Span {
    Span(microseconds: a.microseconds.saturatingAdded(to: b.microseconds))
  }

  @inlinable
  public static func - (a: Span, b: Span) -> Span {
    let (difference, overflow) = a.microseconds.subtractingReportingOverflow(b.microseconds)
    return Span(microseconds: overflow ? (a < b ? .min : .max) : difference)
  }

  @inlinable
  public static func * (span: Span, factor: Double) -> Span { .seconds(span.seconds * factor) }
}

extension Int64 {
  @inlinable
  func saturatingAdded(to other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  @inlinable
  func saturatingMultiplied(by other: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}

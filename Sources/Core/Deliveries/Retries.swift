import Instants

/// How long a target is left alone after failures: exponential back-off with full jitter, a random time between nothing and a ceiling that
/// doubles (Brooker, "Exponential Backoff And Jitter", 2015), and never less than the receiver asks for.
public struct Retries: Hashable, Sendable {
  /// No receiver makes us wait longer than this.
  public static let longestRequest = Span.seconds(86_400)

  private let first: Span
  private let longest: Span
  /// Failures since the last success.
  public private(set) var failures = 0

  public init(first: Span, longest: Span) {
    self.first = first
    self.longest = longest
  }

  public mutating func failed(retryAfter: Span?, using random: inout some RandomNumberGenerator) -> Span {
    let ceiling = min(first * Double(1 << min(failures, 40)), longest)
    failures += 1
    let jitter = Span(microseconds: .random(in: 0...max(0, ceiling.microseconds), using: &random))
    return max(jitter, min(retryAfter ?? .zero, Self.longestRequest))
  }

  public mutating func succeeded() {
    failures = 0
  }
}

import Instants

/// The pause of a target after failures: exponential back-off with full jitter.
/// A pause is a random time between zero and a ceiling that doubles (Brooker, "Exponential Backoff And Jitter", 2015). It is never shorter
/// than the receiver asks for.
public struct Retries: Hashable, Sendable {
  /// The longest pause that a receiver can ask for.
  public static let longestRequest = Span.seconds(86_400)

  private let first: Span
  private let longest: Span
  /// The number of failures since the last success.
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

/// The waiting time before the next attempt, which doubles with each failure from a shortest to a longest span.
public struct Backoff: Hashable, Sendable {
  /// The random spread of the waiting times.
  ///
  /// It keeps programs that wait for the same service from returning in the same instant.
  public enum Jitter: Hashable, Sendable {
    /// A quarter less or more.
    case quarter
    /// Any time from zero on (Brooker, "Exponential Backoff And Jitter", 2015), for receivers that many devices share.
    case full
  }

  private let shortest: Span
  private let longest: Span
  private let jitter: Jitter
  /// The number of failures since the last success.
  public private(set) var failures = 0

  public init(from shortest: Span = .milliseconds(100), to longest: Span = .seconds(2), jitter: Jitter = .quarter) {
    self.shortest = shortest
    self.longest = longest
    self.jitter = jitter
  }

  /// Notes a failure and returns the time to wait, at least `least`.
  public mutating func next(atLeast least: Span = .zero, using random: inout some RandomNumberGenerator) -> Span {
    let base = min(shortest * Double(1 << min(failures, 40)), longest)
    failures += 1
    let spread = jitter == .full ? 0...1 : 0.75...1.25
    return max(base * Double.random(in: spread, using: &random), least)
  }

  /// Notes a success.
  public mutating func reset() {
    failures = 0
  }
}

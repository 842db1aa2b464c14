/// The waiting time before the next attempt, which doubles with each failure from a shortest to a longest span.
public struct Backoff: Hashable, Sendable {
  /// The random spread of the waiting times.
  ///
  /// It keeps programs that wait for the same service from returning in the same instant.
  public enum Jitter: Hashable, Sendable {
    /// A quarter less or more.
    case quarter
    /// Half of the time to all of it, for servers that many devices share.
    case half
    /// Any time from zero on (Brooker, "Exponential Backoff And Jitter", 2015), for receivers that many devices share.
    case full

    fileprivate var spread: ClosedRange<Double> {
      switch self {
      case .quarter: 0.75...1.25
      case .half: 0.5...1
      case .full: 0...1
      }
    }
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
    max(next() * Double.random(in: jitter.spread, using: &random), least)
  }

  /// Notes a failure and returns the time to wait without jitter, at least `least`.
  public mutating func next(atLeast least: Span = .zero) -> Span {
    defer { failures += 1 }
    return max(min(shortest * Double(1 << min(failures, 40)), longest), least)
  }

  /// Notes a success.
  public mutating func reset() {
    failures = 0
  }
}

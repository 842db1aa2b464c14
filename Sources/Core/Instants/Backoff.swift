/// The waiting time before the next attempt, which doubles with each failure from a shortest to a longest span.
/// It is spread by ± 25 % so that programs that wait for the same thing do not all return in the same instant.
public struct Backoff: Sendable {
  private let shortest: Span
  private let longest: Span
  private var failures = 0

  public init(from shortest: Span = .milliseconds(100), to longest: Span = .seconds(2)) {
    self.shortest = shortest
    self.longest = longest
  }

  public mutating func next(using random: inout some RandomNumberGenerator) -> Span {
    let base = min(shortest * Double(1 << min(failures, 30)), longest)
    failures += 1
    return base * Double.random(in: 0.75...1.25, using: &random)
  }

  public mutating func reset() {
    failures = 0
  }
}

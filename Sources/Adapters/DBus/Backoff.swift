import Instants

/// How long to wait before the next attempt: 100 ms, doubled with each failure up to 2 s, spread by ± 25 % so that the clients of a bus
/// that comes back do not all return in the same instant.
struct Backoff {
  private var failures = 0

  mutating func next(using random: inout some RandomNumberGenerator) -> Span {
    let base = min(0.1 * Double(1 << min(failures, 5)), 2)
    failures += 1
    return .seconds(base * Double.random(in: 0.75...1.25, using: &random))
  }

  mutating func reset() {
    failures = 0
  }
}

import Instants
import TestSupport
import Testing

@Suite struct BackoffTests {
  @Test func `the backoff doubles from 100 ms to 2 s, within a quarter`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      var backoff = Backoff()
      for base in [0.1, 0.2, 0.4, 0.8, 1.6, 2, 2, 2] {
        let span = backoff.next(using: &random)
        #expect(abs(span.seconds / base - 1) <= 0.2501, "seed \(seed)")
      }
      backoff.reset()
      #expect(backoff.next(using: &random) < .milliseconds(126))
    }
  }
}

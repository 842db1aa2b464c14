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

  @Test func `with full jitter each wait is any time up to a ceiling that doubles to its limit`() {
    var random = SeededGenerator(seed: 4)
    for failure in 0..<20 {
      let ceiling = Swift.min(2 * Double(1 << failure), 300)
      var waits: [Double] = []
      for _ in 0..<400 {
        var backoff = Backoff(from: .seconds(2), to: .seconds(300), jitter: .full)
        var wait = Span.zero
        for _ in 0...failure { wait = backoff.next(using: &random) }
        waits.append(wait.seconds)
      }
      #expect(waits.allSatisfy { (0...ceiling).contains($0) })
      // The whole range is used, evenly.
      #expect(waits.count { $0 < ceiling / 4 } > 50 && waits.count { $0 > ceiling * 3 / 4 } > 50)
    }
  }

  @Test func `a success starts again from the shortest wait`() {
    var random = SeededGenerator(seed: 4)
    var backoff = Backoff(from: .seconds(2), to: .seconds(300), jitter: .full)
    for _ in 0..<10 { _ = backoff.next(using: &random) }
    #expect(backoff.failures == 10)
    backoff.reset()
    for _ in 0..<100 {
      #expect(backoff.next(using: &random) <= .seconds(2))
      backoff.reset()
    }
  }

  @Test func `a wait is not shorter than the requested time`() {
    var random = SeededGenerator(seed: 4)
    var backoff = Backoff(from: .seconds(2), to: .seconds(300), jitter: .full)
    #expect(backoff.next(atLeast: .seconds(4000), using: &random) == .seconds(4000))
    #expect(backoff.next(atLeast: .seconds(-5), using: &random) >= .zero)
  }

  @Test func `with half jitter each wait is between half of its ceiling and the ceiling`() {
    var random = SeededGenerator(seed: 4)
    for failure in 0..<10 {
      let ceiling = Swift.min(Double(1 << failure), 60)
      var waits: [Double] = []
      for _ in 0..<200 {
        var backoff = Backoff(from: .seconds(1), to: .seconds(60), jitter: .half)
        var wait = Span.zero
        for _ in 0...failure { wait = backoff.next(using: &random) }
        waits.append(wait.seconds)
      }
      #expect(waits.allSatisfy { (ceiling / 2...ceiling).contains($0) })
      #expect(waits.count { $0 < ceiling * 0.75 } > 50 && waits.count { $0 > ceiling * 0.75 } > 50)
    }
  }

  @Test func `without jitter each wait is twice the previous one up to the longest, and at least the requested time`() {
    var backoff = Backoff(from: .seconds(10), to: .seconds(60))
    #expect((0..<5).map { _ in backoff.next().seconds } == [10, 20, 40, 60, 60])
    #expect(backoff.failures == 5)
    #expect(backoff.next(atLeast: .seconds(90)) == .seconds(90))
    backoff.reset()
    #expect(backoff.next() == .seconds(10))
  }

  @Test(arguments: [Backoff.Jitter.quarter, .half, .full])
  func `a million failures do not exceed the longest wait`(jitter: Backoff.Jitter) {
    var random = SeededGenerator(seed: 4)
    var backoff = Backoff(from: .seconds(2), to: .seconds(300), jitter: jitter)
    for _ in 0..<1_000_000 { #expect(backoff.next(using: &random) <= .seconds(375)) }
  }
}

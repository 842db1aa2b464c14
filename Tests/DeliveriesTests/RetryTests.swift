import Deliveries
import Instants
import TestSupport
import Testing

@Suite struct RetryTests {
  private var random = SeededGenerator(seed: 4)

  @Test mutating func `each pause is random below a ceiling that doubles up to a limit`() {
    for failure in 0..<20 {
      let ceiling = Swift.min(2 * Double(1 << failure), 300)
      var pauses: [Double] = []
      for _ in 0..<400 {
        var retries = Retries(first: .seconds(2), longest: .seconds(300))
        var pause = Span.zero
        for _ in 0...failure { pause = retries.failed(retryAfter: nil, using: &random) }
        pauses.append(pause.seconds)
      }
      #expect(pauses.allSatisfy { (0...ceiling).contains($0) })
      // Full jitter: the whole range is used evenly.
      #expect(pauses.count { $0 < ceiling / 4 } > 50 && pauses.count { $0 > ceiling * 3 / 4 } > 50)
    }
  }

  @Test mutating func `a success resets the pauses`() {
    var retries = Retries(first: .seconds(2), longest: .seconds(300))
    for _ in 0..<10 { _ = retries.failed(retryAfter: nil, using: &random) }
    #expect(retries.failures == 10)
    retries.succeeded()
    for _ in 0..<100 {
      #expect(retries.failed(retryAfter: nil, using: &random) <= .seconds(2))
      retries.succeeded()
    }
  }

  @Test mutating func `a retry waits at least for the requested time, up to a day`() {
    var retries = Retries(first: .seconds(2), longest: .seconds(300))
    #expect(retries.failed(retryAfter: .seconds(4000), using: &random) == .seconds(4000))
    #expect(retries.failed(retryAfter: .seconds(1e9), using: &random) == .seconds(86_400))
    #expect(retries.failed(retryAfter: .seconds(-5), using: &random) >= .zero)
  }

  @Test mutating func `a million failures do not exceed the longest pause`() {
    var retries = Retries(first: .seconds(2), longest: .seconds(300))
    for _ in 0..<1_000_000 { #expect(retries.failed(retryAfter: nil, using: &random) <= .seconds(300)) }
  }
}

@Suite struct RateLimitTests {
  private let start = Instant(microseconds: 1_000_000)

  @Test(arguments: [1, 7, 60, 600])
  func `the permitted number of attempts goes at once, and the next one after a minute`(perMinute: Int) {
    var limit = RateLimit(perMinute: perMinute)
    var now = start
    for number in 0..<(3 * perMinute + 1) {
      now = limit.next(at: now)
      #expect(now == start + .seconds(Double(60 * (number / perMinute))))
      limit.take(at: now)
    }
  }

  @Test(arguments: [1, UInt64.random(in: .min ... .max)])
  func `no minute has more attempts than permitted`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var limit = RateLimit(perMinute: 10)
    var now = start
    var times: [Instant] = []
    for _ in 0..<2000 {
      now = limit.next(at: now + .milliseconds(Bool.random(using: &random) ? 0 : .random(in: 0...20_000, using: &random)))
      limit.take(at: now)
      times.append(now)
    }
    #expect(zip(times, times.dropFirst(10)).allSatisfy { $1 - $0 >= .seconds(60) }, "seed \(seed)")
  }

  @Test func `a long pause restores the permitted number of attempts, and no more`() {
    var limit = RateLimit(perMinute: 10)
    for _ in 0..<10 { limit.take(at: start) }
    #expect(limit.next(at: start + .seconds(1)) == start + .seconds(60))
    let later = start + .seconds(86_400)
    for _ in 0..<10 {
      #expect(limit.next(at: later) == later)
      limit.take(at: later)
    }
    #expect(limit.next(at: later) == later + .seconds(60))
  }
}

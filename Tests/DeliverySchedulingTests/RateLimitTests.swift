import DeliveryScheduling
import Instants
import TestSupport
import Testing

@Suite struct RateLimitTests {
  private let start = Instant(microseconds: 1_000_000)

  @Test(arguments: [1, 7, 60, 600])
  func `as many attempts as allowed go at once, and the next one a minute later`(perMinute: Int) {
    var limit = RateLimit(perMinute: perMinute)
    var now = start
    for number in 0..<(3 * perMinute + 1) {
      now = limit.next(at: now)
      #expect(now == start + .seconds(Double(60 * (number / perMinute))))
      limit.take(at: now)
    }
  }

  @Test(arguments: [1, UInt64.random(in: .min ... .max)])
  func `no minute has more attempts than allowed, wherever it begins`(seed: UInt64) {
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

  @Test func `after a day without attempts, no more go at once than in any minute`() {
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

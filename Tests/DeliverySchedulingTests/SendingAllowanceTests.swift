import DeliveryScheduling
import Instants
import Testing

@Suite struct SendingAllowanceTests {
  private let start = Instant(microseconds: 1_000_000)

  /// Returns the number of messages that can be sent at once.
  private func taken(_ allowance: inout SendingAllowance, at now: Instant) -> Int {
    var count = 0
    while allowance.take(at: now) == nil { count += 1 }
    return count
  }

  @Test("a backlog is sent at 20 messages a second, of which a second goes at once")
  func rate() {
    var allowance = SendingAllowance(at: start)
    var now = start
    var count = 0
    while now < start + .seconds(60) {
      while let next = allowance.take(at: now) { now = next }
      count += 1
    }
    #expect((1190...1221).contains(count), "\(count)")
    // A pause permits no more than a second of the backlog at once.
    #expect((20...21).contains(taken(&allowance, at: now + .seconds(3600))))
  }

  @Test("new messages need no permission of the backlog")
  func new() {
    var allowance = SendingAllowance(at: start)
    #expect(taken(&allowance, at: start) == 20)
    allowance.add(3, at: start)
    #expect(taken(&allowance, at: start) == 3)
    allowance.add(3, at: start)
    allowance.add(30, at: start)
    #expect(taken(&allowance, at: start) == 33)
  }

  @Test("the time of the next permission is one at which it is given")
  func next() throws {
    var allowance = SendingAllowance(at: start)
    _ = taken(&allowance, at: start)
    let refusal = allowance.take(at: start)
    let next = try #require(refusal)
    #expect(next > start + .milliseconds(49) && next < start + .milliseconds(53))
    let (early, due) = (allowance.take(at: start + .milliseconds(40)), allowance.take(at: next))
    #expect(early != nil && due == nil)
  }
}

import Glibc
import Instants
import Testing

@testable import EventLoop

@Suite struct TerminationStepsTests {
  private var ladder = TerminationSteps(start: Instant(microseconds: 0), timeout: .seconds(10), grace: .seconds(2))

  private func second(_ value: Int64) -> Instant { Instant(microseconds: value * 1_000_000) }

  @Test mutating func `a child gets SIGTERM at the timeout and SIGKILL after the grace period, and then no signal`() {
    #expect(ladder.advance(to: second(9)) == nil)
    #expect(ladder.advance(to: second(10)) == SIGTERM)
    #expect(ladder.deadline == second(12))
    #expect(ladder.advance(to: second(11)) == nil)
    #expect(ladder.advance(to: second(12)) == SIGKILL)
    #expect(ladder.deadline == .never)
    #expect(ladder.advance(to: second(1000)) == nil)
  }

  @Test mutating func `the grace period starts at the actual SIGTERM, not at the planned one`() {
    #expect(ladder.advance(to: second(15)) == SIGTERM)
    #expect(ladder.deadline == second(17))
  }

  @Test mutating func `a second request to end does not shorten the grace period`() {
    ladder.terminate(at: second(3))
    #expect(ladder.advance(to: second(3)) == SIGTERM)
    ladder.terminate(at: second(4))
    #expect(ladder.advance(to: second(4)) == nil)
    #expect(ladder.deadline == second(5))
  }
}

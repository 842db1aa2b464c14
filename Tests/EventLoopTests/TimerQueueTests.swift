import Instants
import TestSupport
import Testing

@testable import EventLoop

@Suite struct TimerQueueTests {
  @Test func `timers fire by deadline, and in the order of arming at the same deadline`() {
    var queue = TimerQueue()
    for (id, due) in [(1, 30), (2, 10), (3, 20), (4, 10)] as [(UInt64, Int64)] {
      queue.arm(id, at: Instant(microseconds: due))
    }
    #expect(queue.earliest == Instant(microseconds: 10))
    #expect(drain(&queue, at: 30) == [2, 4, 3, 1])
  }

  @Test func `a timer that is armed again moves to its new deadline`() {
    var queue = TimerQueue()
    queue.arm(1, at: Instant(microseconds: 10))
    queue.arm(2, at: Instant(microseconds: 20))
    queue.arm(1, at: Instant(microseconds: 30))
    #expect(queue.due(of: 1) == Instant(microseconds: 30))
    #expect(drain(&queue, at: 30) == [2, 1])
  }

  @Test func `no timer fires before its deadline`() {
    var queue = TimerQueue()
    queue.arm(1, at: Instant(microseconds: 10))
    #expect(drain(&queue, at: 9).isEmpty)
    #expect(!queue.isEmpty)
  }

  @Test func `a timer armed after the mark waits for the next turn`() {
    var queue = TimerQueue()
    queue.arm(1, at: Instant(microseconds: 10))
    let mark = queue.nextOrder
    queue.arm(2, at: Instant(microseconds: 10))
    #expect(queue.popDue(at: Instant(microseconds: 10), armedBefore: mark) == 1)
    #expect(queue.popDue(at: Instant(microseconds: 10), armedBefore: mark) == nil)
  }

  @Test func `any sequence of arming and disarming agrees with a sorted list`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    var queue = TimerQueue()
    var model: [(id: UInt64, due: Int64)] = []  // in the order of arming
    for _ in 0..<20_000 {
      let id = UInt64.random(in: 0..<200, using: &random)
      let due = Int64.random(in: 0..<1000, using: &random)
      model.removeAll { $0.id == id }
      if Int.random(in: 0..<4, using: &random) == 0 {
        queue.disarm(id)
      } else {
        queue.arm(id, at: Instant(microseconds: due))
        model.append((id, due))
      }
      if queue.earliest?.microseconds != model.map(\.due).min() {
        Issue.record("seed \(seed): the earliest deadline is wrong")
        return
      }
    }
    let expected = model.enumerated().sorted { ($0.element.due, $0.offset) < ($1.element.due, $1.offset) }.map(\.element.id)
    #expect(drain(&queue, at: 1000) == expected, "seed \(seed)")
  }

  private func drain(_ queue: inout TimerQueue, at now: Int64) -> [UInt64] {
    var popped: [UInt64] = []
    while let id = queue.popDue(at: Instant(microseconds: now), armedBefore: .max) { popped.append(id) }
    return popped
  }
}

import EventLoop
import Instants
import TestSupport
import Testing

@Suite struct TimerTests {
  let loop: Loop

  init() throws {
    loop = try Loop()
  }

  @Test func `a timer fires once, and not before its deadline`() throws {
    let due = loop.now + .milliseconds(5)
    var fired: [Instant] = []
    let timer = loop.timer { [loop] in fired.append(loop.now) }
    timer.arm(at: due)
    // The time is four times the deadline. A timer that fires twice would fire in the next turn.
    try loop.run(for: .milliseconds(20))
    #expect(fired.count == 1)
    #expect(fired.allSatisfy { $0 >= due })
    #expect(timer.due == nil)
  }

  @Test func `a deadline below a millisecond is met with that precision`() throws {
    // The best of a hundred counts, because a busy machine delays some of them.
    var spans: [Span] = []
    var start = loop.now
    let timer = Holder<EventLoop.Timer>()
    let _: Bool = try loop.value { done in
      timer.value = loop.timer { [loop] in
        spans.append(loop.now - start)
        guard spans.count < 100 else { return done(true) }
        start = loop.now
        timer.value?.arm(after: Span(microseconds: 200))
      }
      timer.value?.arm(after: Span(microseconds: 200))
    }
    let best = try #require(spans.min())
    #expect(best >= Span(microseconds: 200))
    #expect(best < Span(microseconds: 900))
  }

  @Test func `a timer that an earlier callback disarmed or released does not fire`() throws {
    var fired: [String] = []
    let released = Holder<EventLoop.Timer>()
    let disarmed = loop.timer { fired.append("disarmed") }
    let first = loop.timer {
      fired.append("first")
      released.value = nil
      disarmed.disarm()
    }
    released.value = loop.timer { fired.append("released") }
    for timer in [first, released.value, disarmed] { timer?.arm(after: .zero) }
    // The timers are due in the first turn.
    try loop.run(for: .milliseconds(2))
    #expect(fired == ["first"])
  }

  @Test func `a timer can release itself`() throws {
    var count = 0
    let holder = Holder<EventLoop.Timer>()
    holder.value = loop.timer {
      holder.value = nil
      count += 1
    }
    holder.value?.arm(after: .zero)
    // The timer is due in the first turn.
    try loop.run(for: .milliseconds(2))
    #expect(count == 1)
  }

  @Test func `a timer that re-arms itself immediately does not starve the others`() throws {
    let greedy = Holder<EventLoop.Timer>()
    greedy.value = loop.timer { greedy.value?.arm(at: Instant(microseconds: 0)) }
    greedy.value?.arm(after: .zero)
    // The timer is due again in each turn; the test passes if this call returns.
    try loop.run(for: .milliseconds(2))
    greedy.value = nil
  }

  @Test func `thousands of timers fire in the order of their deadlines`() throws {
    var fired: [Int] = []
    // The start is so far ahead that the last timer is armed before the first is due, also in a debug build.
    let start = loop.now + .milliseconds(400)
    let timers = (0..<5000).map { number in loop.timer { fired.append(number) } }
    for (number, timer) in timers.enumerated().reversed() {
      timer.arm(at: start + Span(microseconds: Int64(number)))
    }
    // The last is due 5 ms after the first, and all overdue timers fire in one turn.
    try loop.run(for: .milliseconds(450))
    let inOrder = fired == Array(0..<5000)
    #expect(inOrder, "\(fired.count) fired")
  }
}

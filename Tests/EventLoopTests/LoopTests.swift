import EventLoop
import Glibc
import Instants
import TestSupport
import Testing

@Suite struct LoopTests {
  let loop: Loop

  init() throws {
    loop = try Loop()
  }

  @Test func `the loop returns the code it was stopped with, and can run again`() throws {
    for code in [0, 69] as [Int32] {
      loop.enqueue { [loop] in loop.stop(code) }
      #expect(try loop.run() == code)
    }
  }

  @Test func `work enqueued after a stop waits for the next run`() throws {
    var done: [Int] = []
    loop.enqueue { [loop] in
      done.append(1)
      loop.stop()
    }
    loop.enqueue { [loop] in
      done.append(2)
      loop.stop()
    }
    _ = try loop.run()
    #expect(done == [1])
    _ = try loop.run()
    #expect(done == [1, 2])
  }

  @Test func `work triggered several times in a turn runs once, after the callbacks`() throws {
    var order: [String] = []
    let deferred = loop.deferred { order.append("deferred") }
    let timers = (0..<3).map { number in
      loop.timer {
        order.append("timer \(number)")
        deferred.trigger()
      }
    }
    let due = loop.now
    for timer in timers { timer.arm(at: due) }
    // The timers are due, and the deferred work follows in the same turn.
    try loop.run(for: .milliseconds(2))
    #expect(order == ["timer 0", "timer 1", "timer 2", "deferred"])
  }

  @Test func `a blocked callback is a stall, which the loop reports before late timers`() throws {
    var order: [String] = []
    let late = loop.timer { order.append("timer") }
    loop.onStall = { order.append(($1 - $0) > .seconds(1) ? "stall" : "short stall") }
    let blocking = loop.timer {
      order.append("blocked")
      // More than a second, from which a deadline counts as missed.
      usleep(1_200_000)
    }
    let start = loop.now
    blocking.arm(at: start)
    late.arm(at: start + .milliseconds(50))
    // Both timers are due during the first callback, and fire in the turn after it or in the next run.
    try loop.run(for: .milliseconds(10))
    // The late timer is overdue, so it fires in the first turn.
    try loop.run(for: .milliseconds(10))
    #expect(order == ["blocked", "stall", "timer"])
  }

  @Test func `a callback that takes several inputs can find out that one of them blocked`() throws {
    var stalls: [(start: Instant, end: Instant)] = []
    loop.onStall = { stalls.append(($0, $1)) }
    let timer = loop.timer {}
    timer.arm(at: loop.now + .milliseconds(100))
    loop.enqueue { [loop] in
      loop.noteStall(at: loop.now)
      // More than a second, from which a deadline counts as missed.
      usleep(1_200_000)
      loop.noteStall(at: loop.now)
      loop.noteStall(at: loop.now)
    }
    let begin = loop.now
    // Enqueued work runs in the first turn.
    try loop.run(for: .milliseconds(1))
    #expect(stalls.count == 1)
    #expect(stalls.allSatisfy { $0.start >= begin && $0.end - $0.start >= .milliseconds(1200) })
  }

  @Test func `deferred work that is cancelled or released does not run`() throws {
    var count = 0
    let cancelled = loop.deferred { count += 1 }
    let released = Holder(loop.deferred { count += 1 })
    cancelled.trigger()
    cancelled.cancel()
    released.value?.trigger()
    released.value = nil
    // Deferred work would run in the first turn.
    try loop.run(for: .milliseconds(2))
    #expect(count == 0)
  }

  @Test func `an idle loop sleeps`() throws {
    let thisThread = __rusage_who_t(1)  // RUSAGE_THREAD
    var (before, after) = (rusage(), rusage())
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    let reading = FileDescriptor(owning: ends[0])
    let writing = FileDescriptor(owning: ends[1])
    let source = try loop.io(reading.number, .readable) { _ in Issue.record("nothing was written") }
    getrusage(thisThread, &before)
    // The time is sixty times that in which a busy loop wakes up more than twice.
    try loop.run(for: .milliseconds(300))
    getrusage(thisThread, &after)
    #expect(after.ru_nvcsw - before.ru_nvcsw <= 2)
    source.cancel()
    withExtendedLifetime(writing.number) {}
  }
}

import EventLoop
import Glibc
import Synchronization
import TestSupport
import Testing

@Suite struct WorkThreadsTests {
  private let loop: Loop

  init() throws { loop = try Loop() }

  /// A gate that work waits at.
  private final class Gate: Sendable {
    private let isOpen = Atomic(false)

    func open() { isOpen.store(true, ordering: .releasing) }

    // The pause between two looks.
    func wait() { while !isOpen.load(ordering: .acquiring) { usleep(1000) } }
  }

  @Test func `work runs on a thread with its own context, and the result arrives on the loop`() throws {
    let threads = try WorkThreads(loop, named: "test", count: 1, mostWaiting: 8) { 0 }
    var results: [String] = []
    for text in ["a", "b", "c"] {
      #expect(
        threads.run({ count in
          count += 1
          return "\(text)\(count)"
        }) { results.append($0) })
    }
    #expect(results.isEmpty)
    try loop.wait { results == ["a1", "b2", "c3"] }
  }

  @Test func `work beyond the limit is refused, and accepted again after a result`() throws {
    let gate = Gate()
    let threads = try WorkThreads(loop, named: "test", count: 2, mostWaiting: 3) {}
    var count = 0
    for _ in 0..<3 { #expect(threads.run({ _ in gate.wait() }) { count += 1 }) }
    #expect(!threads.run({ _ in }) { count += 100 })
    gate.open()
    try loop.wait { count == 3 }
    #expect(threads.run({ _ in }) { count += 1 })
    try loop.wait { count == 4 }
  }

  @Test func `releasing the threads drops work that has not begun`() throws {
    let gate = Gate()
    var threads: WorkThreads<Void>? = try WorkThreads(loop, named: "test", count: 1, mostWaiting: 8) {}
    weak let released = threads
    for _ in 0..<4 { _ = threads?.run({ _ in gate.wait() }) { Issue.record("a completion after the release") } }
    threads = nil
    #expect(released == nil)
    gate.open()
  }
}

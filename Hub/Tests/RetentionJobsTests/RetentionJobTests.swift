import Instants
import Retention
import RetentionJobs
import Testing

private struct Failure: Error, CustomStringConvertible { let description = "broken" }

/// A database in memory with one step of work for each kind.
private final class FakeStore: RetentionStore {
  var isClaimable = true
  var left: [RetentionKind: Int] = [:]
  var failing: Set<RetentionKind> = []
  var notes: [RetentionKind: String?] = [:]
  var clock = Instant(microseconds: 1_800_000_000_000_000)

  func claim() -> Bool { isClaimable }
  func time() -> Instant { clock }
  func note(_ kind: RetentionKind, failure: String?) { notes[kind] = .some(failure) }
  func expire(_ kind: RetentionKind) throws -> Bool {
    if failing.contains(kind) { throw Failure() }
    left[kind, default: 1] -= 1
    return left[kind, default: 0] >= 0
  }
}

@Suite struct RetentionJobTests {
  /// Runs the job for some runs, and returns its pauses and its log.
  private func run(_ runs: Int, _ store: FakeStore, connect: @escaping () throws -> Void = {}, between: (Int) -> Void = { _ in })
    -> (pauses: [Span], log: [String])
  {
    var (pauses, log): ([Span], [String]) = ([], [])
    let job = RetentionJob {
      try connect()
      return store
    } wallTime: {
      Instant(microseconds: 1_800_000_000_000_000)
    } report: {
      log.append($0)
    }
    job.run(until: { pauses.count == runs }) {
      pauses.append($0)
      between(pauses.count)
    }
    return (pauses, log)
  }

  @Test("each run removes all that has expired of each kind")
  func everything() {
    let store = FakeStore()
    store.left[.digest] = 30
    #expect(run(2, store).pauses == [60, 60].map { Span.seconds($0) })
    #expect(RetentionKind.allCases.allSatisfy { store.left[$0, default: 1] < 0 && store.notes[$0] == .some(nil) })
  }

  @Test("a kind that fails does not stop the others, and is tried again until it succeeds")
  func failingKind() {
    let store = FakeStore()
    store.failing = [.digest]
    let (pauses, log) = run(4, store, between: { if $0 == 3 { store.failing = [] } })
    #expect(pauses == [10, 10, 10, 60].map { Span.seconds($0) })
    #expect(log == ["retention: digest: broken; tries again", "retention works again"])
    #expect(store.left[.visitKey, default: 1] < 0 && store.notes[.digest] == .some(nil))
  }

  @Test("a failure is noted for status")
  func noted() {
    let store = FakeStore()
    store.failing = [.event]
    _ = run(1, store)
    #expect(store.notes[.event] == "broken" && store.notes[.digest] == .some(nil))
  }

  @Test("nothing expires while the clock of the database differs by more than 5 minutes", arguments: [-1, 1] as [Int64])
  func clocks(sign: Int64) {
    let store = FakeStore()
    store.clock += .milliseconds(sign * 300_001)
    let (pauses, log) = run(3, store, between: { if $0 == 2 { store.clock += .milliseconds(-sign) } })
    let text = "the clock of the database is more than 5 minutes \(sign > 0 ? "ahead of" : "behind") that of the worker; set the wrong one"
    #expect(log == ["retention: \(text); tries again", "retention works again"])
    #expect(pauses == [10, 10, 60].map { Span.seconds($0) } && RetentionKind.allCases.allSatisfy { store.notes[$0] == .some(nil) })
    #expect(store.left.values.allSatisfy { $0 < 0 } && store.left.count == RetentionKind.allCases.count)
    store.clock += .milliseconds(sign)
    _ = run(1, store)
    #expect(RetentionKind.allCases.allSatisfy { store.notes[$0] == text && store.left[$0] == -1 })
  }

  @Test("nothing expires by a clock of the database that is absurd", arguments: [Int64.min, .max])
  func absurdClock(time: Int64) {
    let store = FakeStore()
    store.clock = Instant(microseconds: time)
    #expect(run(1, store).log.count == 1 && store.left.isEmpty)
  }

  @Test("a database that is down is tried again")
  func databaseDown() {
    var attempts = 0
    let (pauses, log) = run(
      3, FakeStore(),
      connect: {
        attempts += 1
        if attempts < 3 { throw Failure() }
      })
    #expect(pauses == [10, 10, 60].map { Span.seconds($0) })
    #expect(log == ["retention: broken; tries again", "retention works again"])
  }

  @Test("a job that is not the only one removes nothing")
  func notClaimed() {
    let store = FakeStore()
    store.isClaimable = false
    #expect(run(2, store).pauses == [60, 60].map { Span.seconds($0) })
    #expect(store.notes.isEmpty && store.left.isEmpty)
  }
}

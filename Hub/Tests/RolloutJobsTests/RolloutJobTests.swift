import FleetMessages
import Instants
import RolloutJobs
import FleetRollouts
import Testing

private struct Fault: Error, CustomStringConvertible {
  var description: String { "no link" }
}

/// A database in memory with one rollout whose canary has confirmed it.
private final class MemoryStore: RolloutStore {
  var calls: [String] = []
  var isFree = true
  var fails: Set<String> = []
  var progress = RolloutProgress(revision: 7, soak: .zero, since: Instant(microseconds: 0))
  /// The devices that have to get it.
  var due = 0

  private func call(_ name: String) throws {
    calls.append(name)
    if fails.contains(name) { throw Fault() }
  }

  func begin() throws -> Bool {
    try call("begin")
    return isFree
  }
  func commit() throws { try call("commit") }
  func active() throws -> [RolloutProgress] {
    try call("active")
    return progress.phase.isActive ? [progress] : []
  }
  func observe(_ revision: Int64) throws -> RolloutObservation {
    try call("observe")
    var canary = RolloutObservation.Canary(name: "berlin.door")
    (canary.state, canary.applied) = (.confirmed, revision)
    let now = Instant(microseconds: 1_000_000)
    canary.heard = now
    return RolloutObservation(now: now, watchedSince: Instant(microseconds: 0), canaries: [canary])
  }
  func write(_ progress: RolloutProgress) throws {
    try call("write \(progress.phase.rawValue)")
    self.progress = progress
  }
  func send(_ revision: Int64, limit: Int) throws -> Int {
    try call("send")
    defer { due -= min(due, limit) }
    return min(due, limit)
  }
}

@Suite struct RolloutJobTests {
  private let store = MemoryStore()

  /// Runs this number of steps, and returns the pauses and the lines of the log.
  private func run(_ steps: Int, connect: (() throws -> any RolloutStore)? = nil) -> (pauses: [Span], log: [String]) {
    var (pauses, log, count): ([Span], [String], Int) = ([], [], 0)
    let store = store
    RolloutJob(connect: connect ?? { store }, report: { log.append($0) }).run(
      until: {
        count += 1
        return count == steps
      }, pause: { pauses.append($0) })
    return (pauses, log)
  }

  @Test("a step is one transaction, and a change is stored before messages are written")
  func steps() {
    let (pauses, log) = run(2)
    #expect(
      store.calls == [
        "begin", "active", "observe", "write soak", "send", "commit", "begin", "active", "observe", "write rest", "send", "commit",
      ])
    #expect(pauses == [.seconds(5), .seconds(5)] && log == ["rollout 7: soak", "rollout 7: rest"])
  }

  @Test("many devices get their messages without pauses")
  func many() {
    store.due = 450
    #expect(run(3).pauses == [.seconds(5)] && store.due == 0)
  }

  @Test("another process at work leaves nothing to do")
  func notFree() {
    store.isFree = false
    #expect(run(1).pauses == [.seconds(5)] && store.calls == ["begin"])
  }

  @Test("a failure is reported once, and the next step has another link")
  func failure() {
    store.fails = ["send"]
    var links = 0
    let store = store
    let (pauses, log) = run(3) {
      links += 1
      if links == 3 { store.fails = [] }
      return store
    }
    #expect(links == 3 && pauses == Array(repeating: .seconds(5), count: 3))
    #expect(log.filter { $0.hasPrefix("rollouts") } == ["rollouts: no link; tries again", "rollouts work again"])
    #expect(store.calls.filter { $0 == "commit" }.count == 1)
  }
}

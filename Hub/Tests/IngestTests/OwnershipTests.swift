import FleetMessages
import Ingest
import Instants
import Testing

@Suite struct OwnershipTests {
  private let bench = Bench()

  /// Lets time pass in which the broker delivers what waits.
  private func run(for span: Span) throws {
    let end = bench.clock.uptime + span
    while bench.clock.uptime < end { try bench.session.step() }
  }

  /// Sends a digest of a site whose queue is 2, which is the share of a worker "a" beside "b".
  private func sendToQueue2(_ sequence: Int64) throws {
    let site = (0..<100).lazy.compactMap { FleetAddress(site: "s\($0)", device: "d") }.first { $0.partition % 8 == 2 }
    bench.source.add(Bench.digest(sequence), key: try #require(site).routingKey, queue: 2)
  }

  @Test("a worker opens its share first and the rest later, and owns its share alone after five seconds without a message")
  func share() throws {
    bench.store.workers = ["a"]
    try bench.session.step()
    #expect(bench.source.calls == [1, 3, 5, 7].map { "open \($0)" })
    try run(for: .seconds(2))
    #expect(bench.source.calls.count == 8 && bench.session.ownedQueues.isEmpty)
    try run(for: .seconds(4))
    #expect(bench.session.ownedQueues == [1, 3, 5, 7] && Set(bench.store.epochs.keys) == [1, 3, 5, 7])
  }

  @Test("two workers own half of the silent queues each within ten seconds of the return of one")
  func returns() throws {
    try run(for: .seconds(6))
    #expect(bench.session.ownedQueues == Set(0..<8))
    bench.store.workers = ["a"]
    try run(for: .milliseconds(2200))
    #expect(bench.session.ownedQueues == [1, 3, 5, 7])
    bench.store.workers = []
    try run(for: .seconds(8))
    #expect(bench.session.ownedQueues == Set(0..<8))
  }

  @Test("a queue that is owned is yielded to the worker whose share it is")
  func yields() throws {
    try sendToQueue2(1)
    try run(for: .seconds(1))
    #expect(bench.session.ownedQueues == [2])
    bench.store.workers = ["a"]
    bench.source.calls = []
    try run(for: .seconds(3))
    #expect(bench.source.calls == ["close 2", "open 2"] && bench.session.ownedQueues.isEmpty)
  }

  @Test("a stand-by subscribes again to a queue without messages, because it may have become the oldest subscriber")
  func standby() throws {
    bench.store.workers = ["a"]
    try run(for: .seconds(3))
    bench.source.calls = []
    try run(for: .seconds(40))
    let closed = Set(bench.source.calls.filter { $0.hasPrefix("close") })
    #expect(closed == Set((0..<8).map { "close \($0)" }))
    #expect(bench.session.ownedQueues == [1, 3, 5, 7])
    // A message that comes right after it is still left to the other worker.
    bench.source.calls = []
    while !bench.source.calls.contains("open 2") { try bench.session.step() }
    try sendToQueue2(1)
    try run(for: .seconds(1))
    #expect(bench.store.batches.isEmpty && bench.store.epochs[2] == nil)
  }

  @Test("a message of another worker's queue is left to it, and stored if the broker delivers it again at once")
  func leaves() throws {
    bench.store.workers = ["a"]
    try run(for: .seconds(2))
    try sendToQueue2(1)
    try run(for: .seconds(2))
    #expect(bench.source.calls.suffix(2) == ["close 2", "open 2"])
    #expect(bench.store.batches.isEmpty && bench.store.epochs[2] == nil)
    // The other worker is gone, and still counts as running.
    try sendToQueue2(1)
    try run(for: .seconds(1))
    #expect(bench.store.batches.count == 1 && bench.store.epochs[2] == 1)
    #expect(bench.source.calls.last == "acknowledge 2 2")
  }
}

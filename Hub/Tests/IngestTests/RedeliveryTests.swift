import FleetMessages
import Ingest
import Testing

@Suite struct RedeliveryTests {
  @Test("redelivered messages that are new are counted and logged with the reason of the subscription, and copies are not")
  func recovered() throws {
    let bench = Bench()
    var lines: [String] = []
    let session = IngestSession(
      worker: "b", map: Bench.map, store: bench.store, source: bench.source, publisher: bench.publisher, clock: bench.clock
    ) { lines.append($0) }
    func send(_ sequence: Int64, isRedelivered: Bool) {
      bench.source.add(Bench.digest(sequence), key: Bench.address.routingKey, queue: Bench.queue, isRedelivered: isRedelivered)
    }
    send(1, isRedelivered: false)
    send(1, isRedelivered: true)
    try bench.settle(session)
    #expect(session.counts.recovered == 0 && !lines.contains { $0.contains("redelivered") })
    // The queue is silent until the worker subscribes again.
    while bench.source.calls.count(where: { $0 == "open \(Bench.queue)" }) < 2 { try session.step() }
    for sequence: Int64 in 2...4 { send(sequence, isRedelivered: sequence != 3) }
    try bench.settle(session)
    #expect(session.counts.recovered == 2)
    #expect(
      lines.filter { $0.contains("redelivered") }
        == ["queue \(Bench.queue): 2 redelivered messages are new, after a subscription because of silence"])
  }
}

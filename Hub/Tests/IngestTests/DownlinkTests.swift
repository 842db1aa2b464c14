import FleetMessages
import Ingest
import Instants
import Testing

@Suite struct DownlinkTests {
  private func report(_ sequence: Int64, acknowledging numbers: [Int64] = []) -> [UInt8] {
    FleetMessage(
      journal: StreamJournal(high: 0, low: 1), sequence: sequence, floor: sequence, time: 1_700_000_000_000,
      body: .report(DeviceReport(version: "1", acknowledged: numbers))
    ).octets
  }

  private func message(_ number: Int64, queue: Int = Bench.queue) -> (WaitingMessage, Int32, Int, Bool) {
    let message = HubMessage(number: number, kind: .rollout, payload: [1])
    return (WaitingMessage(address: Bench.address, message: message), 7, queue, false)
  }

  @Test("a waiting message is published after each report of its device until a report acknowledges it")
  func reports() throws {
    let bench = Bench()
    bench.send(report(1))
    try bench.settle()
    bench.store.messages = [message(5)]
    bench.send(report(2))
    try bench.settle()
    bench.send(report(3))
    try bench.settle()
    #expect(bench.publisher.published.map(\.number) == [5, 5])
    #expect(bench.publisher.published.first?.key == Bench.address.routingKey + ".hub")
    bench.send(report(4, acknowledging: [5]))
    bench.send(report(5))
    try bench.settle()
    #expect(bench.publisher.published.count == 2)
    #expect(bench.store.messages.isEmpty)
  }

  @Test("an announced message of an owned queue is published at once, and without a notice the store is not asked")
  func notices() throws {
    let bench = Bench()
    bench.send(Bench.digest(1))
    try bench.settle()
    let queries = bench.store.messageQueries
    bench.store.messages = [message(5), message(6, queue: (Bench.queue + 1) % 8)]
    for _ in 0..<10 { try bench.session.step() }
    #expect(bench.publisher.published.isEmpty && bench.store.messageQueries == queries)
    bench.store.hasNotice = true
    for _ in 0..<4 { try bench.session.step() }
    #expect(bench.publisher.published.map(\.number) == [5])
  }

  @Test("a message that was announced before the worker owned its queue is published when it does")
  func takeover() throws {
    let bench = Bench()
    bench.store.messages = [message(5)]
    for _ in 0..<4 { try bench.session.step() }
    #expect(bench.publisher.published.isEmpty)
    bench.send(Bench.digest(1))
    try bench.settle()
    #expect(bench.publisher.published.map(\.number) == [5])
  }

  @Test("a new message that could not be published is new until it is")
  func unsent() throws {
    let bench = Bench()
    bench.send(Bench.digest(1))
    try bench.settle()
    bench.publisher.isDown = true
    bench.store.messages = [message(5), message(6)]
    bench.store.hasNotice = true
    for _ in 0..<4 { try bench.session.step() }
    #expect(bench.publisher.attempts == 1)
    bench.publisher.isDown = false
    bench.clock.uptime += .seconds(31)
    bench.send(Bench.digest(2))
    try bench.settle()
    #expect(bench.publisher.published.map(\.number) == [5, 6])
  }

  @Test("more messages than a step takes follow in the next ones")
  func many() throws {
    let bench = Bench()
    bench.send(Bench.digest(1))
    try bench.settle()
    bench.store.messages = (1...250).map { message($0) }
    bench.store.hasNotice = true
    for _ in 0..<8 { try bench.session.step() }
    #expect(bench.publisher.published.map(\.number) == Array(1...250))
  }

  @Test("a broker that takes no message is left alone for a while, and events are stored meanwhile")
  func fault() throws {
    let bench = Bench()
    bench.publisher.isDown = true
    bench.store.messages = [message(5)]
    for sequence: Int64 in 1...3 {
      bench.send(report(sequence))
      bench.send(Bench.digest(sequence))
      try bench.settle()
    }
    #expect(bench.publisher.attempts == 1 && bench.store.digests.count == 3)
    bench.publisher.isDown = false
    bench.clock.uptime += .seconds(31)
    try bench.settle()
    #expect(bench.publisher.published.map(\.number) == [5])
  }

  @Test("the pauses of a broker that takes no message double from 30 s to 8 minutes")
  func growingPauses() throws {
    let bench = Bench()
    bench.publisher.isDown = true
    bench.store.messages = [message(5)]
    bench.send(report(1))
    var attempts: [Double] = []
    while bench.clock.seconds < 2_000 {
      let before = bench.publisher.attempts
      try bench.session.step()
      if bench.publisher.attempts > before { attempts.append(bench.clock.seconds) }
    }
    let pauses = zip(attempts.dropFirst(), attempts).map { ($0 - $1).rounded() }
    #expect(pauses == [30, 60, 120, 240, 480, 480, 480], "\(pauses)")
  }
}

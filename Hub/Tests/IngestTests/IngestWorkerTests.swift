import FleetMessages
import Ingest
import Instants
import Partitions
import Streams
import Testing

@Suite struct IngestWorkerTests {
  private struct Outage: Error, CustomStringConvertible {
    let description: String
  }

  /// A worker whose pauses advance the clock.
  private final class Scene {
    let clock = ManualClock()
    let store = MemoryStore()
    let source: ListSource
    let outages = ListOutages()
    /// The error of the next links; nil if they work.
    var outage: String? = "the broker is down"
    var lines: [String] = []
    var pauses: [Span] = []
    var connections = 0
    var onConnection: () -> Void = {}
    /// The failures in the log.
    var failures: [String] { lines.filter { $0.hasSuffix("; starts over") } }

    init() {
      source = ListSource(clock)
      store.enrolled[Bench.address] = Device(id: 7, site: 3, isRevoked: false, numbering: NumberingHistory())
    }

    /// Runs a worker until a condition holds.
    func run(until isStopped: () -> Bool) {
      let worker = IngestWorker(name: "b", clock: clock, outages: outages) { [unowned self] in
        connections += 1
        onConnection()
        if let outage { throw Outage(description: outage) }
        return IngestWorker.Links(store: store, source: source, publisher: ListPublisher(), map: Bench.map)
      } report: { [unowned self] in
        lines.append($0)
      }
      worker.run(until: isStopped) { [unowned self] in
        pauses.append($0)
        clock.uptime += $0
      }
    }

    func send(_ sequence: Int64) { source.add(Bench.digest(sequence), key: Bench.address.routingKey, queue: Bench.queue) }
  }

  @Test("the pauses between attempts grow to two seconds at random, and an error is reported once")
  func outage() {
    let scene = Scene()
    scene.run { scene.pauses.count == 60 }
    #expect(scene.connections == 60 && scene.failures == ["the broker is down; starts over"])
    for (index, pause) in scene.pauses.enumerated() {
      let longest = min(Span.milliseconds(200 << Int64(min(index, 10))), .seconds(2))
      #expect((.milliseconds(100)...longest).contains(pause), "pause \(index) takes \(pause.text)")
    }
    #expect(scene.pauses.contains { $0 > .seconds(1) } && Set(scene.pauses).count > 10)
  }

  @Test("a batch that is stored resets the pauses, and the same error is reported again")
  func recovery() {
    let scene = Scene()
    scene.store.refuses = { _ in if !scene.store.batches.isEmpty { throw Outage(description: "the broker is down") } }
    scene.run {
      switch (scene.pauses.count, scene.store.batches.count) {
      case (20, 0) where scene.outage != nil:
        scene.outage = nil
        scene.send(1)
      case (20, 1) where scene.source.waiting.isEmpty: scene.send(2)
      default: break
      }
      return scene.pauses.count == 21
    }
    #expect(scene.store.digests.map(\.sequence) == [1] && scene.failures.count == 2)
    #expect((Span.milliseconds(100)...(.milliseconds(200))).contains(scene.pauses[20]))
  }

  @Test("links that open but store nothing do not reset the pauses")
  func brokenLinks() {
    let scene = Scene()
    scene.outage = nil
    scene.onConnection = { scene.send(Int64(scene.connections)) }
    scene.store.refuses = { _ in throw Outage(description: "the disk is full") }
    scene.run { scene.pauses.count == 30 }
    #expect(scene.connections == 30 && scene.pauses.contains { $0 > .seconds(1) } && scene.store.batches.isEmpty)
    #expect(scene.failures == ["the disk is full; starts over"])
  }

  @Test("a database that cannot store a batch gets no further delivery until a test write succeeds")
  func fullDisk() {
    let scene = Scene()
    scene.outage = nil
    var isFull = true
    scene.store.refuses = { _ in if isFull { throw Outage(description: "the disk is full") } }
    var tests = 0
    scene.store.testsWrite = {
      tests += 1
      if isFull { throw Outage(description: "the disk is full") }
    }
    func opened() -> Int { scene.source.calls.count { $0 == "open \(Bench.queue)" } }
    scene.send(1)
    scene.run {
      if isFull, scene.pauses.count == 30 {
        #expect(tests == 29 && opened() == 1 && scene.failures.count == 1)
        isFull = false
        // The broker delivers the message again.
        scene.send(1)
      }
      // Without test writes, the second session waits for a message for ever.
      return !scene.store.batches.isEmpty || scene.clock.seconds > 600
    }
    #expect(tests == 30 && opened() == 2 && scene.store.digests.map(\.sequence) == [1])
    #expect(scene.lines.count { $0.hasPrefix("the database stores again; its disk was full for ") } == 1)
  }

  @Test("a full disk that a worker notices before it has messages needs a test write as well, and its length is logged once")
  func fullDiskOfRegistration() {
    let scene = Scene()
    scene.outage = "the disk is full"
    var tests = 0
    scene.store.testsWrite = { tests += 1 }
    var full = 0
    scene.run {
      if scene.outage != nil, scene.pauses.count == 20 {
        // The first failure comes before the first pause.
        full = Int(scene.pauses.reduce(.zero, +).seconds)
        scene.outage = nil
        scene.send(1)
      }
      return !scene.store.batches.isEmpty
    }
    #expect(tests == 1 && scene.lines.contains("the database stores again; its disk was full for \(full) s"))
    let down = Scene()
    down.run {
      if down.pauses.count == 20 {
        down.outage = nil
        down.send(1)
      }
      return !down.store.batches.isEmpty
    }
    #expect(!down.lines.contains { $0.contains("stores again") })
  }

  @Test("a worker reports its counts every ten seconds, and stores what it has when it is stopped")
  func counts() {
    let scene = Scene()
    scene.outage = nil
    scene.send(1)
    scene.run { scene.clock.seconds >= 25 }
    let counts = scene.lines.filter { $0.contains(" messages/s") }
    #expect(counts.count == 1 && counts[0].hasPrefix("8 queues, ") && counts[0].contains("1 sightings, 0 refused, 1 batches"))
    let stopped = Scene()
    stopped.outage = nil
    stopped.send(1)
    stopped.run { stopped.source.waiting.isEmpty }
    #expect(stopped.store.digests.map(\.sequence) == [1])
  }
}

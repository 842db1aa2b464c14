import Partitions
import Testing

@Suite struct PartitionTests {
  @Test("every partition belongs to one queue", arguments: [1, 7, 8, 64])
  func map(queues: Int) throws {
    let map = try #require(QueueMap(queues: queues))
    let patterns = (0..<queues).flatMap { map.patterns(ofQueue: $0) }
    #expect(patterns.count == 64 && Set(patterns).count == 64)
    for queue in 0..<queues { #expect(map.patterns(ofQueue: queue).contains("fleet.v1.\(queue).*.*")) }
    #expect(map.queue(ofPartition: 63) == 63 % queues)
  }

  @Test("a fleet has 1 to 64 queues", arguments: [0, 65, -1])
  func limits(queues: Int) { #expect(QueueMap(queues: queues) == nil) }

  @Test("workers share the queues evenly and without overlap", arguments: 1...5)
  func shares(count: Int) {
    let workers = (0..<count).map { "worker\($0)" }
    let shares = workers.map { QueueShares.queues(of: $0, among: workers.reversed(), queues: 8) }
    #expect(shares.reduce(0) { $0 + $1.count } == 8)
    #expect(shares.reduce(Set()) { $0.union($1) }.count == 8)
    for queue in 0..<8 {
      let worker = QueueShares.worker(of: queue, among: workers.reversed())
      #expect(shares.firstIndex { $0.contains(queue) } == worker.flatMap { workers.firstIndex(of: $0) })
    }
    #expect(shares.allSatisfy { (8 / count...(8 + count - 1) / count).contains($0.count) })
  }

  @Test("a worker that is not registered yet counts itself")
  func unregistered() { #expect(QueueShares.queues(of: "a", among: [], queues: 3) == [0, 1, 2]) }
}

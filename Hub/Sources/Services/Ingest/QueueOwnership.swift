import Partitions

/// Decides to which queues a worker subscribes, and which it yields to others.
///
/// A broker delivers a queue to its oldest subscriber alone. A worker therefore subscribes to its own share first, to the rest as a stand-by a
/// little later, and yields a queue that is another running worker's share.
struct QueueOwnership {
  private static let registrationInterval: Int64 = 2000
  private static let standbyDelay: Int64 = 1500
  /// The shortest time between two yields of one queue, in milliseconds. A stopped worker counts as running for a while, and takes nothing.
  private static let yieldInterval: Int64 = 5000

  private let worker: String
  private let queues: Int
  private var share: Set<Int> = []
  private var open: Set<Int> = []
  private var standbyFrom: [Int: Int64]
  private var yieldFrom: [Int: Int64] = [:]
  private var registerAt: Int64
  /// The epochs of the queues that deliver to this worker.
  private(set) var epochs: [Int: Int64] = [:]

  init(worker: String, queues: Int, start: Int64) {
    (self.worker, self.queues, registerAt) = (worker, queues, start)
    standbyFrom = Dictionary(uniqueKeysWithValues: (0..<queues).map { ($0, start + Self.standbyDelay) })
  }

  mutating func registerIfDue(_ now: Int64, at store: any FleetStore) throws {
    guard now >= registerAt else { return }
    share = QueueShares.queues(of: worker, among: try store.register(worker: worker), queues: queues)
    registerAt = now + Self.registrationInterval
  }

  func queuesToOpen(_ now: Int64) -> [Int] {
    guard open.count < queues else { return [] }
    return (0..<queues).filter { !open.contains($0) && (share.contains($0) || now >= standbyFrom[$0, default: 0]) }
  }

  func queuesToYield(_ now: Int64) -> [Int] {
    epochs.keys.filter { !share.contains($0) && now >= yieldFrom[$0, default: 0] }.sorted()
  }

  mutating func opened(_ queue: Int) { open.insert(queue) }

  mutating func yielded(_ queue: Int, _ now: Int64) {
    epochs[queue] = nil
    open.remove(queue)
    standbyFrom[queue] = now + Self.standbyDelay
    yieldFrom[queue] = now + Self.yieldInterval
  }

  mutating func acquire(_ queue: Int, at store: any FleetStore) throws {
    epochs[queue] = try store.acquire(queue: queue, worker: worker)
  }
}

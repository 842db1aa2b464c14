/// Divides the queues among the workers that run.
public enum QueueShares {
  /// Returns the queues that a worker should own.
  /// All workers that know the same names agree, and the numbers of their queues differ by at most one.
  public static func queues(of worker: String, among workers: [String], queues: Int) -> Set<Int> {
    let names = Set(workers).union([worker]).sorted()
    guard let rank = names.firstIndex(of: worker) else { return [] }
    return Set((0..<queues).filter { $0 % names.count == rank })
  }

  /// Returns the worker whose share a queue is; nil if none runs.
  public static func worker(of queue: Int, among workers: [String]) -> String? {
    workers.isEmpty ? nil : Set(workers).sorted()[queue % Set(workers).count]
  }
}

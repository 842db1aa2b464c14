import Glibc
import Synchronization

/// Threads for work that waits or computes too long for a loop, with a limit on waiting work.
///
/// Each thread has a context of its own, such as a link to a database. The results arrive on the loop. Releasing the threads drops the work
/// that has not started, and its completions.
public final class WorkThreads<Context> {
  private let exchange: Exchange<Context>
  private let mostWaiting: Int
  private var source: IOSource?
  private var completions: [UInt64: (any Sendable) -> Void] = [:]
  private var lastID: UInt64 = 0

  /// Starts the threads.
  ///
  /// - Parameters:
  ///   - name: as in `LoopThread`.
  ///   - mostWaiting: the maximum number of pieces of work that have not ended.
  ///   - makeContext: called once on each thread.
  public init(
    _ loop: Loop, named name: String, count: Int, mostWaiting: Int, makeContext: @escaping @Sendable () -> Context
  ) throws(SystemCallError) {
    exchange = try Exchange()
    self.mostWaiting = mostWaiting
    source = try exchange.wakeUp.source(on: loop) { [unowned self] in finish() }
    for _ in 0..<count {
      try LoopThread.start(named: name) { [exchange] in
        var context = makeContext()
        exchange.serve(&context)
      }
    }
  }

  deinit {
    source?.cancel()
    exchange.end()
  }

  /// Runs work on a thread, and `completion` with its result on the loop.
  ///
  /// - Returns: false if too much work waits, and then neither is called.
  public func run<Value: Sendable>(
    _ work: @escaping @Sendable (inout Context) -> Value, _ completion: @escaping (Value) -> Void
  ) -> Bool {
    guard completions.count < mostWaiting else { return false }
    lastID += 1
    completions[lastID] = { value in if let value = value as? Value { completion(value) } }
    exchange.put(Exchange.Job(id: lastID, work: work))
    return true
  }

  private func finish() {
    for (id, value) in exchange.takeResults() { completions.removeValue(forKey: id)?(value) }
  }
}

/// The state that the loop and the threads share.
private final class Exchange<Context>: Sendable {
  struct Job: Sendable {
    let id: UInt64
    let work: @Sendable (inout Context) -> any Sendable
  }

  private struct State {
    var jobs: [Job] = []
    var results: [(UInt64, any Sendable)] = []
    var isEnded = false
  }

  private let state = Mutex(State())
  private let jobs = Semaphore()
  let wakeUp: WakeUp

  init() throws(SystemCallError) { wakeUp = try WakeUp() }

  func put(_ job: Job) {
    state.withLock { $0.jobs.append(job) }
    jobs.signal()
  }

  func takeResults() -> [(UInt64, any Sendable)] {
    state.withLock { state in
      defer { state.results = [] }
      return state.results
    }
  }

  /// Ends the threads after their present work.
  func end() {
    state.withLock { ($0.isEnded, $0.jobs) = (true, []) }
    jobs.signal()
  }

  func serve(_ context: inout Context) {
    while true {
      jobs.wait()
      let (job, isEnded) = state.withLock { ($0.jobs.isEmpty ? nil : $0.jobs.removeFirst(), $0.isEnded) }
      if isEnded {
        // The next thread ends as well.
        jobs.signal()
        return
      }
      guard let job else { continue }
      let result = job.work(&context)
      state.withLock { $0.results.append((job.id, result)) }
      wakeUp.send()
    }
  }
}

/// A count that threads wait for: sem_overview(7).
private final class Semaphore: @unchecked Sendable {
  // The semaphore must not move, and its functions may be called from any thread.
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { sem_init(semaphore, 0, 0) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  func signal() { sem_post(semaphore) }

  func wait() { while sem_wait(semaphore) != 0 && errno == EINTR {} }
}

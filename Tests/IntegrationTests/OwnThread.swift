import Dispatch
import Testing

/// Runs the tasks of each test on a thread of its own.
///
/// Tests that block occupy the few threads that all tasks share, and a test that awaits would resume only minutes later. A `Task` still
/// begins on the shared threads; child tasks stay.
struct OwnThread: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void) async throws {
    try await withTaskExecutorPreference(Executor()) { try await function() }
  }

  private final class Executor: TaskExecutor {
    private let queue = DispatchQueue(label: "test")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }
}

extension Trait where Self == OwnThread {
  static var ownThread: Self { OwnThread() }
}

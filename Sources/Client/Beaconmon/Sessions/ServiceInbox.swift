internal import EventLoop
import Synchronization

/// The queue of jobs for the service thread.
final class ServiceInbox: Sendable {
  typealias Job = @Sendable (ServiceContext) -> Void

  let wakeUp: WakeUp
  private let jobs = Mutex<[Job]>([])

  init() throws(SystemCallError) {
    wakeUp = try WakeUp()
  }

  func post(_ job: @escaping Job) {
    let isFirst = jobs.withLock { jobs in
      jobs.append(job)
      return jobs.count == 1
    }
    if isFirst { wakeUp.send() }
  }

  func take() -> [Job] {
    jobs.withLock { jobs in
      defer { jobs = [] }
      return jobs
    }
  }
}

internal import EventLoop
import Synchronization

/// The one thread of this process that talks to the bus.
///
/// The thread has a loop of its own, so that it works with any loop of the program. It begins with the first session and ends with
/// the last.
final class ServiceThread: Sendable {
  private struct Slot {
    weak var thread: ServiceThread?
  }

  private static let shared = Mutex(Slot())

  /// Returns the running thread, or starts one.
  static func current() throws(SystemCallError) -> ServiceThread {
    try shared.withLock { slot throws(SystemCallError) in
      if let thread = slot.thread { return thread }
      let thread = try ServiceThread()
      slot.thread = thread
      return thread
    }
  }

  private let inbox: ServiceInbox

  private init() throws(SystemCallError) {
    inbox = try ServiceInbox()
    // Created here, because only here an error reaches the caller.
    let room = try ServiceContext(inbox)
    try LoopThread.start(named: "beaconmon") { room.run() }
  }

  deinit {
    inbox.post { $0.leave() }
  }

  /// Performs jobs in the order of the calls, after the call has returned.
  func perform(_ job: @escaping ServiceInbox.Job) {
    inbox.post(job)
  }
}

internal import EventLoop
import Synchronization

/// The one thread of this process that talks to the bus, with a loop of its own, so that it does not matter which loop the program has. It begins with
/// the first session and ends with the last.
final class ServiceThread: Sendable {
  private struct Slot {
    weak var thread: ServiceThread?
  }

  private static let shared = Mutex(Slot())

  /// The one that runs, or a new one.
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
    // Made here, where errors have somebody to hear of them.
    let room = try ServiceRoom(inbox)
    try LoopThread.start(named: "beaconmon") { room.run() }
  }

  deinit {
    inbox.post { $0.leave() }
  }

  /// In the order in which they are asked for, after this call has returned.
  func perform(_ job: @escaping ServiceInbox.Job) {
    inbox.post(job)
  }
}

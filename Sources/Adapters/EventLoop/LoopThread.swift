import CLinux
import Glibc

/// Starts a thread for a loop, in parallel with the program's other loop.
public enum LoopThread {
  private final class Start {
    let name: String
    let body: () -> Void

    init(_ name: String, _ body: @escaping () -> Void) {
      self.name = name
      self.body = body
    }
  }

  /// Runs `body` on a detached thread, which ends with it and owns the captured values.
  /// The process's signals go to its other threads.
  ///
  /// - Parameter name: as ps(1) and debuggers show it; 15 octets at most.
  public static func start(named name: String, _ body: sending @escaping () -> Void) throws(SystemCallError) {
    let start = Unmanaged.passRetained(Start(name, body))
    var thread = pthread_t()
    let refusal = pthread_create(&thread, nil, enter, start.toOpaque())
    guard refusal == 0 else {
      start.release()
      throw SystemCallError(call: "pthread_create", code: refusal)
    }
    pthread_detach(thread)
  }

  private static let enter: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { start in
    guard let start else { return nil }
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
    let taken = Unmanaged<Start>.fromOpaque(start).takeRetainedValue()
    pthread_setname_np(pthread_self(), taken.name)
    taken.body()
    return nil
  }
}

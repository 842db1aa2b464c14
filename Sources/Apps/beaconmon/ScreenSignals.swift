import EventLoop
import Failures
import Glibc

/// The signals of a window and a shell to a screen: another size, Ctrl-Z, and the continuation after it.
struct ScreenSignals {
  private let sources: [SignalSource]

  init(_ loop: Loop, onSuspend: @escaping () -> Void, onRedraw: @escaping () -> Void) throws(Failure) {
    do throws(SystemCallError) {
      sources = [try loop.signal(SIGWINCH, onRedraw), try loop.signal(SIGTSTP, onSuspend), try loop.signal(SIGCONT, onRedraw)]
    } catch {
      throw Failure(.osError, "\(error)")
    }
  }
}

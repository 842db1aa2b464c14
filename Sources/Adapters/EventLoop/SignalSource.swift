import CLinux
import Glibc

extension Loop {
  /// Calls `body` on the loop for each arrival of signal `number`, whatever the process's disposition for it.
  ///
  /// This blocks the signal for the calling thread, so call it before any other thread starts. The signal stays blocked when the source
  /// is released, so that a late second SIGTERM cannot cut short a program that is ending. Children of `ChildProcess` start with no
  /// blocked signals. A signal has one source.
  public func signal(_ number: Int32, _ body: @escaping () -> Void) throws(SystemCallError) -> SignalSource {
    try SignalSource(loop: self, number: number, body: body)
  }
}

/// A source that delivers a signal as an ordinary callback.
public final class SignalSource {
  private let descriptor: FileDescriptor
  private var io: IOSource?

  fileprivate init(loop: Loop, number: Int32, body: @escaping () -> Void) throws(SystemCallError) {
    var set = sigset_t()
    sigemptyset(&set)
    guard sigaddset(&set, number) == 0 else { throw .last("sigaddset", "signal \(number)") }
    let refusal = pthread_sigmask(SIG_BLOCK, &set, nil)
    guard refusal == 0 else { throw SystemCallError(call: "pthread_sigmask", code: refusal) }
    let raw = signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
    guard raw >= 0 else { throw .last("signalfd", "signal \(number)") }
    descriptor = FileDescriptor(owning: raw)
    io = try loop.io(raw, .readable) { _ in
      var information = signalfd_siginfo()
      if read(raw, &information, MemoryLayout<signalfd_siginfo>.size) > 0 { body() }
    }
  }

  deinit {
    io?.cancel()
  }
}

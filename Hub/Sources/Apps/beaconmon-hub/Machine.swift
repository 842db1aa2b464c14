import Glibc
import Ingest

struct MachineClock: IngestClock {
  var uptime: Int64 { Self.milliseconds(CLOCK_MONOTONIC) }
  var wallTime: Int64 { Self.milliseconds(CLOCK_REALTIME) }

  private static func milliseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// The name of this machine.
  static var hostName: String {
    var name = [CChar](repeating: 0, count: 65)
    guard gethostname(&name, 64) == 0 else { return "unknown" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// The signals that end a program: SIGTERM and SIGINT.
enum TerminationSignals {
  nonisolated(unsafe) private static var hasArrived = false

  private static var signals: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGTERM)
    sigaddset(&set, SIGINT)
    return set
  }

  /// Keeps the signals from ending the program at once. A broken connection ends no program either.
  static func block() {
    var set = signals
    sigprocmask(SIG_BLOCK, &set, nil)
    signal(SIGPIPE, SIG_IGN)
  }

  /// Returns whether one arrived. Waits for it for at most so many milliseconds.
  static func arrived(within milliseconds: Int64) -> Bool {
    if hasArrived { return true }
    var set = signals
    var limit = timespec(tv_sec: Int(milliseconds / 1000), tv_nsec: Int(milliseconds % 1000) * 1_000_000)
    hasArrived = sigtimedwait(&set, nil, &limit) > 0
    return hasArrived
  }
}

import EventLoop
import Glibc
import Ingest
import Instants

struct MachineClock: IngestClock {
  var uptime: Instant { MonotonicClock.now }
  var wallTime: Instant { WallClock.now }

  /// Waits on this thread.
  static func pause(_ time: Span) { usleep(UInt32(clamping: time.microseconds)) }
}

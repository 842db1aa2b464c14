import Glibc
import Ingest
import Instants

struct MachineClock: IngestClock {
  var uptime: Int64 { Self.milliseconds(CLOCK_MONOTONIC) }
  var wallTime: Int64 { Self.milliseconds(CLOCK_REALTIME) }

  static var now: Instant { Instant(microseconds: milliseconds(CLOCK_REALTIME) * 1000) }

  private static func milliseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

import EventLoop
import Ingest
import Instants

struct MachineClock: IngestClock {
  var uptime: Int64 { MonotonicClock.now.microseconds / 1000 }
  var wallTime: Int64 { WallClock.now.microseconds / 1000 }
}

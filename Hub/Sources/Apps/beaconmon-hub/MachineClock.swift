import EventLoop
import Ingest
import Instants

struct MachineClock: IngestClock {
  var uptime: Instant { MonotonicClock.now }
  var wallTime: Instant { WallClock.now }
}

import EventLoop
import Glibc
import Instants

/// Time since the Unix epoch for a source that lives on the loop's clock.
public enum WallClock {
  /// The wall clock may have been set since `instant`; what counts is what it says now. Time in which the machine slept has passed.
  public static func time(of instant: Instant, on loop: Loop) -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let now = Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    return now + (instant - loop.now) - loop.asleep(since: instant)
  }
}

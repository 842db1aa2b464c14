import EventLoop
import Glibc
import Instants

/// Time since the Unix epoch.
public enum WallClock {
  public static var now: Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }

  /// For an instant of the loop's clock. The wall clock may have been set since; what counts is what it says now. Time in which the machine slept
  /// has passed.
  public static func time(of instant: Instant, on loop: Loop) -> Instant {
    now + (instant - loop.now) - loop.asleep(since: instant)
  }
}

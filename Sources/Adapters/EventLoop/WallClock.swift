import CLinux
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

  /// Somebody, NTP most often, keeps it right: the kernel holds the largest error it can have below 16 s, which is where it gives up. systemd asks
  /// the same (timedatectl(1)). Nil where the call is not allowed, as in a unit with ProtectClock=: then nobody can tell.
  public static var isSynchronised: Bool? {
    var state = timex()
    return adjtimex(&state) >= 0 ? state.maxerror < 16_000_000 : nil
  }
}

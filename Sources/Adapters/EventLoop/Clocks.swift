import CLinux
import Glibc
import Instants

/// The time since the Unix epoch.
public enum WallClock {
  public static var now: Instant {
    Instant(reading: CLOCK_REALTIME)
  }

  /// Converts an instant of the loop's clock, by the present setting of the wall clock.
  /// The time that the machine slept since that instant counts as passed.
  public static func time(of instant: Instant, on loop: Loop) -> Instant {
    now + (instant - loop.now) - loop.asleep(since: instant)
  }

  /// Returns the distance of local time from UTC at an instant.
  ///
  /// The time zone is that of `TZ`, or of the machine if that is not set.
  public static func utcOffset(at time: Instant) -> Span {
    // Seconds before 1970 are rounded down as well.
    let microseconds = time.microseconds
    var seconds = time_t(microseconds / 1_000_000 - (microseconds % 1_000_000 < 0 ? 1 : 0))
    var parts = tm()
    // localtime_r does not notice that the time zone of the machine was changed.
    tzset()
    return localtime_r(&seconds, &parts) == nil ? .zero : .seconds(Double(parts.tm_gmtoff))
  }

  /// Whether NTP or another program keeps the clock synchronised; nil if the call is not allowed.
  /// The kernel reports a synchronised clock while the largest possible error is below 16 s. systemd uses the same call (timedatectl(1)),
  /// which a unit with ProtectClock= may not make.
  public static var isSynchronised: Bool? {
    var state = timex()
    return adjtimex(&state) >= 0 ? state.maxerror < 16_000_000 : nil
  }
}

/// The clock that cannot be set and pauses while the machine sleeps, for limits of time without a loop.
public enum MonotonicClock {
  public static var now: Instant { Instant(reading: CLOCK_MONOTONIC) }
}

extension Instant {
  init(reading clock: clockid_t) {
    var time = timespec()
    clock_gettime(clock, &time)
    self.init(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }
}

/// The clock that cannot be set: the time since boot, sleep included, and the id of that boot.
public enum BootClock {
  public static var uptime: Span {
    Span(microseconds: Instant(reading: CLOCK_BOOTTIME).microseconds)
  }

  /// A random UUID of the kernel (random(4)); nil if there is none.
  ///
  /// A unit with ProcSubset=pid, which hides the file, has the specifier %b of systemd.unit(5) in `BEACONMON_BOOT`: the same without
  /// hyphens.
  public static let boot: String? = {
    do throws(SystemCallError) {
      let octets = try FileContent.octets(of: "/proc/sys/kernel/random/boot_id", limit: 36)
      return octets.count == 36 ? String(decoding: octets, as: UTF8.self) : nil
    } catch {
      return getenv("BEACONMON_BOOT").flatMap { uuid(String(cString: $0)) }
    }
  }()

  /// Returns 32 hexadecimal digits with the hyphens of a UUID; nil for another text.
  static func uuid(_ digits: String) -> String? {
    guard digits.utf8.count == 32,
      digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 })
    else { return nil }
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text.append("-") }
      text.append(digit)
    }
    return text
  }
}

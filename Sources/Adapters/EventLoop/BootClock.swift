import Glibc
import Instants

/// The clock that cannot be set: the time since boot, sleep included, and the id of that boot.
public enum BootClock {
  public static var uptime: Span {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Span(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }

  /// A random UUID of the kernel (random(4)); nil if there is none.
  public static let boot: String? = {
    let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var octets = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &octets, octets.count)
    return count >= 36 ? String(decoding: octets.prefix(36), as: UTF8.self) : nil
  }()
}

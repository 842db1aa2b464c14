import CLinux
import Glibc
import Instants

/// A timer on the wall clock that runs while the machine sleeps, and also fires when the clock is set.
public final class RealTimeAlarm {
  /// Runs at the set time, and when the clock was set.
  public var onAlarm: () -> Void = {}

  private let loop: Loop
  /// The timer; nil before the first time, so that a program without appointments has none.
  private var timer: FileDescriptor?
  private var io: IOSource?
  /// The timer of the loop that replaces it, if the kernel provides none.
  private var fallback: Timer?

  public init(_ loop: Loop) {
    self.loop = loop
  }

  deinit {
    io?.cancel()
  }

  /// The time since the Unix epoch.
  public var now: Instant { WallClock.now }

  /// Sets the time since the Unix epoch at which the alarm fires; `.never` ends it.
  public func arm(at time: Instant) {
    guard time != .never else {
      io?.cancel()
      io = nil
      timer = nil
      fallback?.disarm()
      return
    }
    guard let descriptor = descriptor() else {
      return armFallback(at: time)
    }
    var setting = itimerspec()
    // Zero would disarm the timer, and the kernel refuses times before 1970.
    let microseconds = max(1, time.microseconds)
    setting.it_value = timespec(tv_sec: Int(microseconds / 1_000_000), tv_nsec: Int(microseconds % 1_000_000) * 1000)
    // A clock that was set since the last call cancels it.
    let flags = Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET)
    guard timerfd_settime(descriptor, flags, &setting, nil) < 0 else { return }
    if errno == ECANCELED {
      // The clock was set before this call, which has taken the event about it.
      loop.enqueue { [weak self] in self?.onAlarm() }
    } else {
      armFallback(at: time)
    }
  }

  private func armFallback(at time: Instant) {
    fallback = fallback ?? loop.timer { [unowned self] in onAlarm() }
    // Without a timer of the kernel, a set clock is detected within an hour.
    fallback?.arm(at: loop.now + min(time - now, .seconds(3600)))
  }

  private func descriptor() -> Int32? {
    if let number = timer?.number { return number }
    let number = timerfd_create(CLOCK_REALTIME, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC))
    guard number >= 0 else { return nil }
    let opened = FileDescriptor(owning: number)
    do throws(SystemCallError) {
      io = try loop.io(number, .readable) { [unowned self] _ in fire() }
    } catch {
      return nil
    }
    timer = .some(opened)
    return number
  }

  private func fire() {
    guard let number = timer?.number else { return }
    var count: UInt64 = 0
    // ECANCELED says that the clock was set.
    let size = read(number, &count, MemoryLayout<UInt64>.size)
    if size > 0 || errno == ECANCELED { onAlarm() }
  }
}

internal import CDBus
import EventLoop
import Instants

/// libdbus' timeouts, one per outstanding call, as timers of the loop.
final class LinkTimeouts {
  private let loop: Loop
  private let onActivity: () -> Void
  private var timers: [OpaquePointer: Timer] = [:]

  /// Creates the timers; `onActivity` is called after a timeout, which may have queued a message.
  init(loop: Loop, onActivity: @escaping () -> Void) {
    self.loop = loop
    self.onActivity = onActivity
  }

  /// Adds a timeout, or follows one that was enabled, disabled or changed.
  func update(_ timeout: OpaquePointer) {
    guard dbus_timeout_get_enabled(timeout) != 0 else { return remove(timeout) }
    let interval = Span.milliseconds(Int64(dbus_timeout_get_interval(timeout)))
    let timer = loop.timer { [unowned self] in
      // libdbus' timeouts repeat until they are removed.
      timers[timeout]?.arm(after: interval)
      dbus_timeout_handle(timeout)
      onActivity()
    }
    timers[timeout] = timer
    timer.arm(after: interval)
  }

  func remove(_ timeout: OpaquePointer) {
    timers[timeout] = nil
  }
}

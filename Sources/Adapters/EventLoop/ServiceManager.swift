import CSystemd
import Instants

/// Sends messages to the service manager (sd_notify(3)); without one (no NOTIFY_SOCKET) every message is dropped.
public final class ServiceManager {
  private let loop: Loop
  private var watchdog: Timer?

  /// Notifies the watchdog from the loop at twice the rate that the unit requires, and only if it does (WATCHDOG_USEC).
  /// A loop that hangs is restarted, and an idle one without a watchdog never wakes.
  public init(loop: Loop) {
    self.loop = loop
    var microseconds: UInt64 = 0
    guard sd_watchdog_enabled(0, &microseconds) > 0 else { return }
    let interval = Span(microseconds: Int64(clamping: microseconds / 2))
    let timer = loop.timer { [unowned self] in
      sd_notify(0, "WATCHDOG=1")
      watchdog?.arm(after: interval)
    }
    watchdog = timer
    timer.arm(after: interval)
  }

  /// Reports that the start-up, or a reload, is complete.
  public func ready(_ status: String? = nil) {
    send("READY=1", status)
  }

  /// Sends one line for `systemctl status`.
  public func status(_ text: String) {
    send(nil, text)
  }

  /// Reports that a reload has begun; `ready` ends it. The timestamp also serves Type=notify-reload.
  public func reloading() {
    send("RELOADING=1\nMONOTONIC_USEC=\(loop.now.microseconds)", nil)
  }

  public func stopping(_ status: String? = nil) {
    send("STOPPING=1", status)
  }

  private func send(_ assignment: String?, _ status: String?) {
    // A line break would begin another assignment.
    let line = status.map { "STATUS=" + $0.split(whereSeparator: \.isNewline).joined(separator: " ") }
    sd_notify(0, [assignment, line].compactMap(\.self).joined(separator: "\n"))
  }
}

import CSystemd
import Instants

/// Sends messages to the service manager (sd_notify(3)); without one (no NOTIFY_SOCKET) every message is dropped.
public final class ServiceManager {
  private let loop: Loop
  private var probe: LoopProbe?
  private var watchdog: Watchdog?
  /// Returns whether the program has not proceeded since the last call, although work is waiting.
  ///
  /// Each check of the watchdog calls it.
  public var isStuck: () -> Bool = { false }
  /// Runs after each check of the watchdog that succeeded, for work that needs no wake-up of its own.
  public var onCheck: () -> Void = {}

  /// Answers the watchdog three times in the interval that the unit requires, if it requires one (WATCHDOG_USEC).
  /// A program that hangs is restarted, and an idle one without a watchdog never wakes.
  public init(loop: Loop) throws(SystemCallError) {
    self.loop = loop
    var microseconds: UInt64 = 0
    guard sd_watchdog_enabled(0, &microseconds) > 0 else { return }
    let probe = try LoopProbe(loop)
    self.probe = probe
    watchdog = Watchdog(loop, every: Span(microseconds: Int64(clamping: microseconds / 3))) {
      probe.send($0)
    } isStuck: { [unowned self] in
      isStuck()
    } feed: { [unowned self] in
      sd_notify(0, "WATCHDOG=1")
      onCheck()
    }
  }

  /// The duration of the latest round trip through the loop; nil without a watchdog and before its first check.
  public var loopLatency: Span? { watchdog?.latency }

  /// Reports that the start-up, or a reload, is complete.
  public func ready(_ status: String? = nil) {
    send("READY=1", status)
  }

  /// Reports that the start-up of a program without a loop is complete.
  ///
  /// Later calls only change the line for `systemctl status`.
  public static func reportReady(_ status: String) {
    sd_notify(0, "READY=1\nSTATUS=" + status.split(whereSeparator: \.isNewline).joined(separator: " "))
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

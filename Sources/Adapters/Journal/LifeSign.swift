import Instants

/// A time at which a daemon was running, on the wall clock, which may be set, and on the clock of the boot.
public struct LifeSign: Hashable, Sendable {
  /// The wall clock, since the Unix epoch.
  public var time: Instant
  /// The id of the boot; `nil` for a source with its own clock, such as a capture.
  public var boot: String?
  /// The time since the boot, including sleep.
  public var uptime: Span

  public init(time: Instant, boot: String? = nil, uptime: Span = .zero) {
    self.time = time
    self.boot = boot
    self.uptime = uptime
  }

  /// Returns the time between this sign and `next`, in which no daemon was running; `nil` if it is unknown.
  ///
  /// Within one boot, changes of the wall clock have no effect. Between boots only the wall clock is available. If it went backward, as on
  /// a device
  /// without a battery that starts in 1970, the time is unknown.
  public func outage(until next: LifeSign) -> Span? {
    if let boot, boot == next.boot { return max(.zero, next.uptime - uptime) }
    guard next.time >= time, time >= Self.earliestPlausible || boot == nil else { return nil }
    return next.time - time
  }

  /// 2020-01-01; an earlier time belongs to a clock that was not set yet.
  static let earliestPlausible = Instant(microseconds: 1_577_836_800_000_000)
}

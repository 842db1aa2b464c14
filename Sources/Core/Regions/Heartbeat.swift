import Instants

/// A time at which a daemon watched, on two clocks: the wall clock, which may be set, and that of the boot.
public struct Heartbeat: Hashable, Sendable {
  /// The time since the Unix epoch.
  public var time: Instant
  /// The id of the boot; nil for a source with its own clock, such as a capture.
  public var boot: String?
  /// The time since that boot, sleep included.
  public var uptime: Span

  public init(time: Instant, boot: String? = nil, uptime: Span = .zero) {
    self.time = time
    self.boot = boot
    self.uptime = uptime
  }

  /// Returns for how long no daemon watched until `next`; nil if that is unknown.
  ///
  /// Within one boot, a wall clock that is set in the meantime has no effect. From one boot to the next there is only the wall clock. If it
  /// went backward, as on a device without a battery that starts in 1970, the length is unknown.
  public func outage(until next: Heartbeat) -> Span? {
    if let boot, boot == next.boot { return max(.zero, next.uptime - uptime) }
    guard next.time >= time, time >= Self.earliestPlausible || boot == nil else { return nil }
    return next.time - time
  }

  /// The start of 2020. An earlier time is that of a clock that was not set yet.
  static let earliestPlausible = Instant(microseconds: 1_577_836_800_000_000)
}

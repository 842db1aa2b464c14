import Instants

/// That somebody watched, at a time that two clocks tell: the wall clock, which may be set, and that of the boot, which may be another one.
public struct LifeSign: Hashable, Sendable {
  /// Since the Unix epoch.
  public var time: Instant
  /// Names the boot; nil for a source that has a clock of its own, as a capture.
  public var boot: String?
  /// Since that boot, sleep included.
  public var uptime: Span

  public init(time: Instant, boot: String? = nil, uptime: Span = .zero) {
    self.time = time
    self.boot = boot
    self.uptime = uptime
  }

  /// For how long nobody watched until `next`; nil when nobody can tell.
  ///
  /// Within one boot no clock that is set meanwhile matters. From one boot to the next there is only the wall clock: when it went backward, as on a device
  /// without a battery that starts in 1970, it says nothing.
  public func outage(until next: LifeSign) -> Span? {
    if let boot, boot == next.boot { return max(.zero, next.uptime - uptime) }
    guard next.time >= time, time >= Self.earliestPlausible || boot == nil else { return nil }
    return next.time - time
  }

  /// An earlier time is that of a clock that was not set yet: 2020-01-01.
  static let earliestPlausible = Instant(microseconds: 1_577_836_800_000_000)
}

import Instants

/// The clocks when a reading was received.
public struct Receipt: Hashable, Sendable {
  /// What the machine's wall clock said, in time since the Unix epoch.
  public struct WallClock: Hashable, Sendable {
    public var time: Instant
    /// Somebody keeps it right. A device without a clock battery starts in 1970, and then the receiver knows better.
    public var isSynchronised: Bool

    public init(time: Instant, isSynchronised: Bool) {
      self.time = time
      self.isSynchronised = isSynchronised
    }
  }

  /// On the clock of the boot, which goes on while the machine sleeps.
  public var instant: Instant
  /// Nil for a recording, which may be of any time.
  public var wallClock: WallClock?

  /// Received now, by this machine.
  public init(instant: Instant, wallClock: WallClock) {
    self.instant = instant
    self.wallClock = wallClock
  }

  /// - Parameter instant: on the recording's clock.
  public init(recorded instant: Instant) {
    self.instant = instant
  }

  /// 2026-11-01: no live fix is from before that. It moves with the releases.
  public static let release = Instant(microseconds: 1_793_491_200_000_000)
  /// More than UTC and the time of a receiver that does not know the leap seconds yet can be apart.
  static let tolerance = Span.seconds(60)

  /// How old a fix of that time was when it came; zero where nobody can say.
  func age(of time: Instant?, by clock: LocationReading.Clock) throws(LocationRefusal) -> Span {
    guard let wallClock, let time else { return .zero }
    guard clock != .receiver || time >= Self.release else { throw .beforeRelease }
    guard wallClock.isSynchronised || clock == .machine else { return .zero }
    guard time <= wallClock.time + Self.tolerance else { throw .ahead }
    return max(.zero, wallClock.time - time)
  }
}

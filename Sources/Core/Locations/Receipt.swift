import Instants

/// The clocks at the reception of a reading.
public struct Receipt: Hashable, Sendable {
  /// The wall clock of the machine, as time since the Unix epoch.
  public struct WallClock: Hashable, Sendable {
    public var time: Instant
    /// Whether the clock is synchronised.
    /// A device without a clock battery starts in 1970; its receiver then knows the time better.
    public var isSynchronised: Bool

    public init(time: Instant, isSynchronised: Bool) {
      self.time = time
      self.isSynchronised = isSynchronised
    }
  }

  /// The boot clock, which continues while the machine sleeps.
  public var instant: Instant
  /// The wall clock; nil for a recording, which may be from any time.
  public var wallClock: WallClock?

  /// Creates the receipt of a reading that this machine receives now.
  public init(instant: Instant, wallClock: WallClock) {
    self.instant = instant
    self.wallClock = wallClock
  }

  /// Creates the receipt of a recorded reading.
  ///
  /// - Parameter instant: on the recording's clock.
  public init(recorded instant: Instant) {
    self.instant = instant
  }

  /// 2026-11-01: no live fix is older than this date, which moves with the releases.
  public static let release = Instant(microseconds: 1_793_491_200_000_000)
  /// A limit above the difference between UTC and the time of a receiver that does not know the leap seconds yet.
  static let tolerance = Span.seconds(60)

  /// Returns the age of a fix on reception; zero if it is unknown.
  func age(of time: Instant?, by clock: LocationReading.Clock) throws(LocationRefusal) -> Span {
    guard let wallClock, let time else { return .zero }
    guard clock != .receiver || time >= Self.release else { throw .beforeRelease }
    guard wallClock.isSynchronised || clock == .machine else { return .zero }
    guard time <= wallClock.time + Self.tolerance else { throw .ahead }
    return max(.zero, wallClock.time - time)
  }
}

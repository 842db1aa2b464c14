import Instants

/// The two clocks by which a share ends, whichever comes first.
public struct SharingClock: Hashable, Sendable {
  /// A clock that cannot be set; it may stand still while the machine sleeps.
  public var steady: Instant
  /// The time since the Unix epoch, which a person or the network can set.
  public var wall: Instant

  public init(steady: Instant, wall: Instant) {
    (self.steady, self.wall) = (steady, wall)
  }
}

/// The time for which a share lasts.
///
/// A wall clock that is set back prolongs no share, and one that is set forward ends it.
struct SharingPeriod: Hashable, Sendable {
  /// The minimum difference at which a clock before the beginning counts as wrong.
  private static let tolerance = Span.seconds(60)

  /// The begin and the end since the Unix epoch.
  let begins: Instant
  let ends: Instant
  /// The end on the steady clock.
  private let deadline: Instant

  /// Begins a period now.
  init(for span: Span, from clock: SharingClock) {
    (begins, ends, deadline) = (clock.wall, clock.wall + span, clock.steady + span)
  }

  /// Continues a period that an earlier run has begun. The steady clock of that run is unknown.
  init(from begins: Instant, to ends: Instant, at clock: SharingClock) {
    (self.begins, self.ends) = (begins, ends)
    deadline = clock.steady + (clock.wall < begins ? ends - begins : ends - clock.wall)
  }

  func isOver(at clock: SharingClock) -> Bool { clock.wall >= ends || clock.steady >= deadline }

  /// Whether the wall clock can be right. A device without a clock that survives a loss of power starts in the past.
  func isCredible(_ clock: SharingClock) -> Bool { clock.wall >= begins - Self.tolerance }

  /// The time on the steady clock at which the period is over if no clock is set.
  func nextEnd(at clock: SharingClock) -> Instant { min(deadline, clock.steady + (ends - clock.wall)) }
}

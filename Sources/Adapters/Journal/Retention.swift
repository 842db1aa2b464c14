import Instants

/// How long events are kept, and how much room they may take.
public struct Retention: Hashable, Sendable {
  public var age: Span
  /// Octets of the file. The oldest events make room.
  public var size: Int

  public init(age: Span, size: Int) {
    self.age = age
    self.size = size
  }
}

/// Which events are too old, told by a clock that may be set while it is asked.
///
/// Events carry the wall clock, which may stand in 1970 until the network is there, or jump by years. So the wall clock is taken from the first event
/// of a process only, and from there on time is what the monotonic clock counts: no later jump makes an event old before its time.
struct EventAge: Sendable {

  private var anchor: (wall: Instant, monotonic: Instant)?

  mutating func note(_ eventTime: Instant, at now: Instant) {
    if anchor == nil { anchor = (eventTime, now) }
  }

  /// The event times that are too old at `now`; nil while nothing is known to be.
  func tooOld(at now: Instant, keeping age: Span) -> Range<Instant>? {
    guard let anchor else { return nil }
    let cutoff = anchor.wall + (now - anchor.monotonic) + Span(microseconds: -age.microseconds)
    return cutoff > LifeSign.earliestPlausible ? LifeSign.earliestPlausible..<cutoff : nil
  }
}

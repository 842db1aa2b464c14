import Events
import Instants

/// The ages of events that arrive late, in the order of their journal.
///
/// The time of an event from before the clock was set is meaningless afterwards: with a clock that starts in 1970, it would be years old.
/// Such an event is as old as the next event with a correct time, and new if none follows.
public struct EventAges {
  private var ages: [EventPlace: Span] = [:]

  /// Computes the ages.
  ///
  /// - Parameters:
  ///   - now: the time since the Unix epoch.
  ///   - isClockSet: whether the clock is synchronized by now; otherwise it is still the clock that timed the events.
  public init(_ events: [Event], at now: Instant, isClockSet: Bool) {
    var next = Span.zero
    for event in events.reversed() {
      if let time = event.time, !isClockSet || event.isClockSynchronised != false { next = max(.zero, now - time) }
      if let place = event.place { ages[place] = next }
    }
  }

  /// Returns the age of an event; zero for an event that is not in the list.
  public func age(of event: Event) -> Span { event.place.flatMap { ages[$0] } ?? .zero }
}

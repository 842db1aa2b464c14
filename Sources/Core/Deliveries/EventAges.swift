import Events
import Instants

/// How old events are that come late, in the order of their journal.
///
/// An event from before the clock was set has a time that means nothing once it is: with a clock that starts in 1970 it would be years old. It is as old as the
/// next event whose time is right, and new when none follows.
public struct EventAges {
  private var ages: [EventPlace: Span] = [:]

  /// - Parameters:
  ///   - now: since the Unix epoch.
  ///   - isClockSet: whether somebody keeps the clock right by now; else it is still the one that the events were timed by.
  public init(_ events: [Event], at now: Instant, isClockSet: Bool) {
    var next = Span.zero
    for event in events.reversed() {
      if let time = event.time, !isClockSet || event.isClockSynchronised != false { next = max(.zero, now - time) }
      if let place = event.place { ages[place] = next }
    }
  }

  /// Zero for an event that is none of them.
  public func age(of event: Event) -> Span { event.place.flatMap { ages[$0] } ?? .zero }
}

import Instants

/// The maximum age of events, and the maximum size of their file.
public struct Retention: Hashable, Sendable {
  public var age: Span
  /// The size of the file in octets, above which the oldest events are deleted.
  public var size: Int

  public init(age: Span, size: Int) {
    self.age = age
    self.size = size
  }
}

/// Decides which events are too old, although the wall clock may be set by years at any time.
struct EventAge {
  /// The times in the row of an event.
  struct Stamp {
    var time: Instant
    var watched: Span
    var isClockSynchronised: Bool?
  }

  enum Verdict: Hashable {
    case tooOld
    case young
    /// Unknown; the event is as old as its neighbours.
    case untold
  }

  /// The stamp of the newest event.
  let now: Stamp
  let age: Span

  /// Returns whether an event is too old.
  ///
  /// The wall clock counts only if it was synchronised at both ends. Otherwise the age is at least the watched time since the event. An
  /// event whose clock was known to be wrong is as old as the next one.
  func verdict(on event: Stamp) -> Verdict {
    if event.isClockSynchronised == false { return .untold }
    let watched = now.watched - event.watched
    let wall = event.isClockSynchronised == true && now.isClockSynchronised == true ? now.time - event.time : .zero
    return max(watched, wall) > age ? .tooOld : .young
  }
}

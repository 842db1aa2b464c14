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

/// Which events are older than they are kept, though the clock on the wall may be set by years at any time.
struct EventAge {
  /// What a row says of when its event happened.
  struct Stamp {
    var time: Instant
    var watched: Span
    var isClockSynchronised: Bool?
  }

  enum Verdict: Hashable {
    case tooOld
    case young
    /// As old as the events around it.
    case untold
  }

  /// At the newest event.
  let now: Stamp
  let age: Span

  /// The wall clock counts only where it was synchronised at both ends. Otherwise the event is as old as the journal was watched since, at least; that is not
  /// asked of an event whose clock was known to be wrong: it goes with the next one.
  func verdict(on event: Stamp) -> Verdict {
    if event.isClockSynchronised == false { return .untold }
    let watched = now.watched - event.watched
    let wall = event.isClockSynchronised == true && now.isClockSynchronised == true ? now.time - event.time : .zero
    return max(watched, wall) > age ? .tooOld : .young
  }
}

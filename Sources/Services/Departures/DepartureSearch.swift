import Instants
import Locations

/// A search for the location of a visitor, whose times are on the clock of the appointments.
struct DepartureSearch {
  let begin: Instant
  /// The time for which the search waits for a location that is as accurate as requested.
  let patience: Span
  /// The best location so far.
  var found: Location?
  /// Whether `found` differs from the location of the last search.
  var isFresh = false
  /// The last time at which the last known way was judged, because there was no location.
  var judged: Instant?

  /// The longest time that a search may take, and the shortest time that it waits for a fine location.
  static let (timeout, shortestPatience) = (Span.seconds(30), Span.seconds(3))
  /// The time in which a source that was off has a first location. A position from beacons takes four seconds.
  private static let firstFix = Span.seconds(10)
  /// The time between two judgements without a location.
  private static let pause = Span.seconds(5)
  /// The time in which the answer to the timeout arrives.
  private static let leeway = Span.seconds(2)

  init(begin: Instant, patience: Span) {
    (self.begin, self.patience) = (begin, patience)
  }

  /// The time from which the location so far suffices, or from which the last known way replaces it.
  var next: Instant {
    if found != nil, isFresh { return begin + patience }
    return judged.map { $0 + Self.pause } ?? begin + max(patience, Self.firstFix)
  }

  /// The time at which the search counts as lost.
  var end: Instant { begin + Self.timeout + Self.leeway }
}

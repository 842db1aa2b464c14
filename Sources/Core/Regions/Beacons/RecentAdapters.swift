import Instants

/// The adapters whose sightings recently satisfied a region.
///
/// Recent means within half an exit delay to one exit delay before the last sighting that satisfied the region. During silence the adapters
/// stay. Two sets take turns of half an exit delay, so that noting a sighting costs the same however many there were.
struct RecentAdapters: Hashable, Sendable {
  private var turnEnd: Instant
  private var current = AdapterSet.none
  private var previous = AdapterSet.none
  /// The adapters that were lost since the last sighting.
  private var lost = AdapterSet.none

  init(at time: Instant) {
    turnEnd = time
  }

  /// The recent adapters; empty before the first sighting, when no adapter is known to hear the region.
  var adapters: AdapterSet { current.union(previous) }

  /// Whether a turn is over, so that the caller must call `takeTurns` before `note`.
  @inline(__always)  // a part of every sighting
  func isTurnOver(at time: Instant) -> Bool { time >= turnEnd }

  @inline(__always)  // a part of every sighting
  mutating func note(_ adapter: AdapterSet) {
    current.formUnion(adapter)
    lost = .none
  }

  /// Returns whether one of the recent adapters is lost for the first time since the last sighting.
  /// The other adapters then need time to hear its beacons. An adapter that is lost again and again must not keep a region for ever.
  mutating func lose(_ adapters: AdapterSet) -> Bool {
    let new = adapters.intersection(self.adapters).subtracting(lost)
    lost.formUnion(new)
    return !new.isEmpty
  }

  mutating func takeTurns(at time: Instant, exitDelay: Span) {
    let turn = Span(microseconds: exitDelay.microseconds / 2)
    let isNext = time < turnEnd + turn
    previous = isNext ? current : .none
    current = .none
    turnEnd = (isNext ? turnEnd : time) + turn
  }
}

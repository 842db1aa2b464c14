import Instants
import Ranging

/// A condition that counts once several successive sightings have met it over some time.
///
/// A hold restarts after a silence of `RangedBeacon.unknownAfter`, because it is unknown whether the condition held meanwhile.
struct Hold: Hashable, Sendable {
  private var since = Instant.never
  private var latest = Instant.never
  private var count: UInt32 = 0

  /// The fewest sightings in a hold. Two could be one burst; three span a real interval.
  private static let fewestSightings: UInt32 = 3

  /// Applies the next sighting and returns whether the condition has held for `span`.
  mutating func note(_ isMet: Bool, at time: Instant, for span: Span) -> Bool {
    guard isMet else {
      self = Hold()
      return false
    }
    if count == 0 || time - latest >= RangedBeacon.unknownAfter { (since, count) = (time, 0) }
    latest = time
    count &+= 1
    return count >= Self.fewestSightings && time - since >= span
  }
}

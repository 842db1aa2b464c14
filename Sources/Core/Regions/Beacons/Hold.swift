import Instants
import Ranging

/// A condition that must be met by every one of several sightings over some time before it counts.
///
/// Nobody knows whether it held through a silence, so one as long as a distance is remembered begins it anew.
struct Hold: Hashable, Sendable {
  private var since = Instant.never
  private var latest = Instant.never
  private var count: UInt32 = 0

  /// Two sightings could be one burst; three span a real interval.
  private static let fewestSightings: UInt32 = 3

  /// Takes the next sighting's verdict and says whether the condition has held for `span`.
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

import Instants

/// The progress of one beacon in one region that requires nearness.
struct Approach: Hashable, Sendable {
  /// How long the beacon has been within the distance at which the region is entered.
  var arrival = Hold()
  /// The turn in which the beacon counted as not farther than the distance at which the region is left.
  var closeness: CloseBeacons.Turn = 0
  /// Until when the indoor position decides about the beacon, and sightings do not.
  var locatedUntil = Instant(microseconds: .min)
}

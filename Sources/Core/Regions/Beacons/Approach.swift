/// How one beacon stands to one region that asks for nearness.
struct Approach: Hashable, Sendable {
  /// Within the distance at which the region is entered, and for how long.
  var arrival = Hold()
  /// Whether it counts as not farther than the distance at which the region is left.
  var closeness: CloseBeacons.Turn = 0
}

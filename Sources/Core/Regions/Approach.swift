/// How one beacon stands to one region that asks for nearness.
struct Approach: Hashable, Sendable {
  /// Within the distance at which the region is entered, and for how long.
  var arrival = Hold()
  /// Not farther than the distance at which the region is left.
  var isClose = false
}

/// Where a beacon or a receiver is.
public enum Whereabouts: Hashable, Sendable {
  case fixed(Point)
  /// The index of a visitor of the scenario: a shop's visitors carry beacons, a gallery's guide carries the receiver.
  case carried(by: Int)
}

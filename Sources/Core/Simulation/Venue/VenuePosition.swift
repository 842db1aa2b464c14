import Venues

/// The position of a beacon or a receiver, fixed or carried.
public enum VenuePosition: Hashable, Sendable {
  case fixed(PlanPoint)
  /// The index of the visitor who carries it: a shop's visitors carry beacons, a gallery's guide carries the receiver.
  case carried(by: Int)
}

extension VenuePosition {
  var visitor: Int? {
    if case .carried(let visitor) = self { visitor } else { nil }
  }
}

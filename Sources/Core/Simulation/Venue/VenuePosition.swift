import Venues

/// The position of a beacon or a receiver, fixed or carried.
public enum VenuePosition: Hashable, Sendable {
  /// A point on the level with this ordinal.
  case fixed(PlanPoint, level: Int = 0)
  /// The index of the visitor who carries it: a shop's visitors carry beacons, a gallery's guide carries the receiver.
  case carried(by: Int)
}

/// A point in a building: on a level, or on stairs or in a lift between two.
struct BuildingPoint: Hashable, Sendable {
  var point: PlanPoint
  /// The ordinal of the level; a fraction between two levels.
  var storey: Double

  /// The ordinal of the level; nil between two levels.
  var level: Int? { storey == storey.rounded() ? Int(storey) : nil }
  /// The ordinal of the nearest level.
  var nearestLevel: Int { Int(storey.rounded()) }
}

extension VenuePosition {
  var visitor: Int? {
    if case .carried(let visitor) = self { visitor } else { nil }
  }

  /// The point of a position that never changes; nil if a visitor carries it.
  var fixed: BuildingPoint? {
    if case .fixed(let point, let level) = self { BuildingPoint(point: point, storey: Double(level)) } else { nil }
  }
}

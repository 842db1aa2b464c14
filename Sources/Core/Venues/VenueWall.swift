/// A straight wall that attenuates signals that cross it.
public struct VenueWall: Hashable, Sendable {
  /// The id of its level.
  public let level: String
  public let from: PlanPoint
  public let to: PlanPoint
  /// The attenuation in dB for every crossing.
  /// At 2.4 GHz plasterboard has about 4, brick about 8, concrete 10 to 20 (Rappaport, table 4.3).
  public let attenuation: Double

  public init(level: String = VenueLevel.defaultID, from: PlanPoint, to: PlanPoint, attenuation: Double) {
    self.level = level
    self.from = from
    self.to = to
    self.attenuation = attenuation
  }

  /// Returns whether the straight line between two points of its level crosses or touches the wall.
  public func stands(between a: PlanPoint, and b: PlanPoint) -> Bool {
    let (sideOfFrom, sideOfTo) = (from.side(ofLineFrom: a, to: b), to.side(ofLineFrom: a, to: b))
    let (sideOfA, sideOfB) = (a.side(ofLineFrom: from, to: to), b.side(ofLineFrom: from, to: to))
    return sideOfFrom * sideOfTo <= 0 && sideOfA * sideOfB <= 0 && !(sideOfA == 0 && sideOfB == 0)
  }
}

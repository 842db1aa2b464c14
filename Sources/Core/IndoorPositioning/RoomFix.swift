import RealModule
public import Venues

/// The estimated position on a level.
public struct RoomFix: Hashable, Sendable {
  /// The mean of the probabilities on the level.
  public var point: PlanPoint
  /// The radius in metres around the point that holds 68 % of the level's probability.
  public var radius: Double
}

/// The probability distribution of the distance to a transmitter.
public struct RoomDistance: Hashable, Sendable {
  /// The distance in metres whose logarithm is the mean.
  public var metres: Double
  /// The standard deviation of the natural logarithm.
  public var deviation: Double
}

extension RoomDistance {
  /// Returns the distance with the additional deviation that an uncertain level of the adapter causes.
  ///
  /// The level shifts the logarithms of all distances alike: ln d by ln 10 / 20 for each dB.
  func widened(byLevelOf deviation: Double) -> RoomDistance {
    let shift = deviation * Double.log(10) / 20
    return RoomDistance(metres: metres, deviation: (self.deviation * self.deviation + shift * shift).squareRoot())
  }
}

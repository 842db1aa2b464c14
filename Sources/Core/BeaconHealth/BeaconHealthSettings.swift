/// The settings of the watch for expected beacons.
public struct BeaconHealthSettings: Hashable, Sendable {
  /// The problems that are reported; none turns the watch off.
  public var problems: Set<BeaconProblem>
  /// Whether the device never moves, so that silence and a changed level are faults of a beacon.
  public var isStationary: Bool
  /// The volts below which a battery is low.
  public var lowBattery: Double

  /// A lithium cell of 3 V is nearly empty at 2.2 V under load, and many beacons stop below 2 V.
  public static let defaultLowBattery = 2.2

  public init(problems: Set<BeaconProblem> = [], isStationary: Bool = false, lowBattery: Double = defaultLowBattery) {
    (self.problems, self.isStationary, self.lowBattery) = (problems, isStationary, lowBattery)
  }
}

public import Beacons

/// A beacon where it hangs.
public struct PlannedBeacon: Hashable, Sendable {
  public var identity: BeaconIdentity
  /// The id of its level.
  public var level: String
  public var position: PlanPoint
  /// The height above the floor in metres; nil if it is unknown.
  public var height: Double?
  /// The mean RSSI in dBm at 1 m, measured at the venue.
  ///
  /// It replaces the value that the beacon advertises. Nil keeps the advertised one.
  public var power: Double?
  /// A name for the staff.
  public var name: String?

  public init(
    identity: BeaconIdentity, level: String = VenueLevel.defaultID, position: PlanPoint, height: Double? = nil, power: Double? = nil,
    name: String? = nil
  ) {
    self.identity = identity
    self.level = level
    self.position = position
    self.height = height
    self.power = power
    self.name = name
  }
}

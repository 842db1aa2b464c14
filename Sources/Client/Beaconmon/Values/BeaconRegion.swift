import FoundationEssentials

/// A region defined by beacons. Core Location's CLBeaconRegion.
public struct BeaconRegion: Region {
  public let identifier: String
  public let beaconIdentityConstraint: BeaconIdentityConstraint
  public var notifyOnEntry = true
  public var notifyOnExit = true
  /// The silence after which the region is left, 1 s to 1 h. Nil: learned from the gaps of its beacons, at least 30 s.
  public var exitDelay: Duration?
  /// The distance in metres within which a beacon must stay for an entry, 0.1 to 100. Nil: any sighting is enough.
  public var within: Double?
  /// The distance in metres beyond which all beacons must stay for an exit. Nil: 1.5 times `within`.
  public var leaveBeyond: Double?

  public init(beaconIdentityConstraint: BeaconIdentityConstraint, identifier: String) {
    self.beaconIdentityConstraint = beaconIdentityConstraint
    self.identifier = identifier
  }

  public init(uuid: UUID, identifier: String) {
    self.init(beaconIdentityConstraint: BeaconIdentityConstraint(uuid: uuid), identifier: identifier)
  }

  public init(uuid: UUID, major: UInt16, identifier: String) {
    self.init(beaconIdentityConstraint: BeaconIdentityConstraint(uuid: uuid, major: major), identifier: identifier)
  }

  public init(uuid: UUID, major: UInt16, minor: UInt16, identifier: String) {
    self.init(beaconIdentityConstraint: BeaconIdentityConstraint(uuid: uuid, major: major, minor: minor), identifier: identifier)
  }

  public var uuid: UUID { beaconIdentityConstraint.uuid }
  public var major: UInt16? { beaconIdentityConstraint.major }
  public var minor: UInt16? { beaconIdentityConstraint.minor }
}

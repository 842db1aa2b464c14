import FoundationEssentials

/// A place that is where some beacons are. Core Location's CLBeaconRegion.
public struct BeaconRegion: Region {
  public let identifier: String
  public let beaconIdentityConstraint: BeaconIdentityConstraint
  public var notifyOnEntry = true
  public var notifyOnExit = true
  /// Silence for this long is an exit, 1 s to 1 h. Nil: learned from the gaps of its beacons, 30 s at least.
  public var exitDelay: Duration?
  /// Entered when a beacon stays nearer than this, 0.1 to 100 m. Nil: being heard is enough.
  public var within: Double?
  /// Left when all its beacons stay beyond this, metres. Nil: 1.5 times `within`.
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

import Beacons
import FleetMessages
import Instants

/// The device and its disk, as reports and digests for a hub need them.
public struct FleetPorts {
  public let device: any FleetDevice
  /// Opens the disk for digests; nil for a notifier without a state folder.
  public let openStore: () -> (any DigestStore)?
  /// The parts that handle messages of the hub.
  ///
  /// A message of another kind is not acknowledged, so that it comes again after an upgrade.
  public let receivers: [HubMessage.Kind: any HubMessageReceiver]
  /// Shares the position of the device; nil for a device that does not.
  public var sharing: (any HubConnectionUser)?
  /// Takes rollouts of configuration; nil for a device that does not.
  public var rollouts: RolloutService?

  public init(
    _ device: any FleetDevice, receivers: [HubMessage.Kind: any HubMessageReceiver] = [:], openStore: @escaping () -> (any DigestStore)?
  ) {
    (self.device, self.receivers, self.openStore) = (device, receivers, openStore)
  }
}

/// A part of the device that publishes messages of its own on the connection to the hub.
public protocol HubConnectionUser: AnyObject {
  /// Publishes on this target from now on; nil without a hub.
  ///
  /// - Parameter hub: the host of the hub with the site and the name of this device there.
  func use(_ target: (any FleetTarget)?, of hub: String)
  /// The connection of the target has begun or ended.
  func connectionChanged()
}

/// The daemon, which ranges the beacons of digests.
public protocol DigestBeacons: AnyObject {
  /// Ranges while the returned object is held, and leaves the radio as it is for others.
  ///
  /// `body` receives the beacons of a constraint that were heard in the last seconds, and the time of the snapshot. It is never called
  /// inside this call.
  func rangePassively(_ constraints: Set<BeaconConstraint>, _ body: @escaping ([BeaconReport], Instant) -> Void) -> AnyObject
}

import Beacons
import FleetMessages
import Instants

/// The settings of the hub of a fleet, which receives every event, digests of beacons, and reports about the device.
public struct HubSettings: Hashable, Sendable {
  /// The name in the log, which no other target may have beside the hub.
  public static let name = "hub"
  /// The name of the target and of its queue.
  ///
  /// The configuration reserves it, so that another target with the name "hub" has a queue of its own.
  public static let queue = "[notifier.hub]"
  public static let defaultPort = 8883
  /// The rate at which waiting events are sent after an absence.
  public static let eventsPerMinute = 1200
  public static let defaultInterval = Span.seconds(5)

  public let host: String
  public let port: Int
  /// The site and the name of the device, which the common name of the certificate contains.
  public let address: FleetAddress
  /// The path of the device's certificate.
  public let certificate: String
  /// The place of its private key.
  public let key: SecretPlace
  /// The path of a file of certificate authorities that replaces the system's.
  public let certificates: String?
  /// The time between two digests; nil for no digests.
  public let interval: Span?
  /// The UUIDs of the beacons in digests.
  public let beacons: [BeaconUUID]
  /// The public key of the author whose rollouts of configuration the device takes; nil for none.
  public let rolloutKey: [UInt8]?

  public init(
    host: String, port: Int = HubSettings.defaultPort, address: FleetAddress, certificate: String, key: SecretPlace,
    certificates: String? = nil, interval: Span? = HubSettings.defaultInterval, beacons: [BeaconUUID] = [],
    rolloutKey: [UInt8]? = nil
  ) {
    (self.host, self.port, self.address) = (host, port, address)
    (self.certificate, self.key, self.certificates) = (certificate, key, certificates)
    (self.interval, self.beacons, self.rolloutKey) = (interval, beacons, rolloutKey)
  }
}

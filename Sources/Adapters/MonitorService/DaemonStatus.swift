import Beacons
import Status

/// The facts that the bus shows in addition to those of the services: about the program, and the beacons that it sends.
public protocol DaemonStatus: AnyObject {
  var version: String { get }
  /// The last reload of the configuration if it was refused; nil if it succeeded.
  var refusedReload: MonitorStatus.RefusedReload? { get }
  /// The configuration in use.
  var configuration: MonitorStatus.Configuration { get }
  /// Reads the configuration again, and returns the refusal; nil if the new one is in use.
  func reload() -> MonitorStatus.RefusedReload?
  /// The beacons that this machine advertises.
  var advertisements: [AdvertisedBeacon] { get }
  /// The capabilities that the configuration requires.
  var required: [RequiredCapability] { get }
  /// Reports the required capabilities that the device lacks now.
  func missingCapabilitiesChanged(_ missing: [MissingCapability])
}

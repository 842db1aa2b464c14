import Instants
import Locating
import Locations
import Records

/// Where the device is, as the bus asks for it.
public protocol LocationModel: AnyObject {
  /// On the clock of `Location.received`.
  var now: Instant { get }
  /// Some source of the config may say where the device is.
  var hasSources: Bool { get }
  /// How each source stands: `source`, `state`, `isOn`, and what else is known.
  var sources: [Record] { get }
  /// Which were switched on and off lately, and why; the latest last.
  var switches: [Record] { get }
  /// Where the device is, while that is known.
  var location: Location? { get }

  /// What comes of it goes to `MonitorService.publish(_: Locator.Output)`, what is known already before this returns.
  func listen(_ listener: Locator.Listener, _ request: LocationRequest)
  func search(_ listener: Locator.Listener, _ accuracy: DesiredAccuracy, timeout: Span)
  func end(_ listener: Locator.Listener)
}

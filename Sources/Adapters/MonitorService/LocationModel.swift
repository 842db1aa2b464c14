import Instants
import Locating
import Locations
import Records

/// The daemon's locations, as the bus service requests them.
public protocol LocationModel: AnyObject {
  /// The time on the clock of `Location.received`.
  var now: Instant { get }
  /// True if the config has a source that may supply the device's location.
  var hasSources: Bool { get }
  /// The health of each source: `source`, `state`, `isOn`, and optional details.
  var sources: [Record] { get }
  /// The latest switches of sources on and off, with their reasons; the latest last.
  var switches: [Record] { get }
  /// The device's location; nil while it is unknown.
  var location: Location? { get }

  /// Starts updates, whose outputs go to `MonitorService.publish(_: Locator.Output)`.
  ///
  /// A known location goes there before this returns.
  func listen(_ listener: Locator.Listener, _ request: LocationRequest)
  func search(_ listener: Locator.Listener, _ accuracy: DesiredAccuracy, timeout: Span)
  func end(_ listener: Locator.Listener)
}

import Beacons
import ConfigurationTree
import Consent
import ConsentService
import Departures
import Geocoding
import Guidance
import Headings
import Instants
import LocationArbitration
import Locations
import Monitoring
import Orientation
import Positioning
import Regions
import RouteReports
import Venues
import Wayfinding

/// The decisions about users, and the log of uses.
public protocol SessionConsent: AnyObject {
  func verdict(for person: Person) -> ConsentPolicy.Verdict
  /// Asks a person if there is no decision. Calls `completion` at once, or when the person has answered.
  func request(_ use: Use, for client: ConsentClient, completion: @escaping (ConsentPolicy.Verdict) -> Void)
  func begin(_ client: ConsentClient)
  func end(_ client: ConsentClient)
}

extension ConsentService: SessionConsent {}

/// The engine, as far as sessions range, scan and monitor.
public protocol SessionMonitoring: AnyObject {
  /// Whether a source of beacons is configured.
  var hearsBeacons: Bool { get }
  /// Returns the required capabilities that the device lacks at present.
  func missing(of required: [RequiredCapability]) -> [MissingCapability]
  func startRanging(_ constraint: BeaconConstraint, isPassive: Bool)
  func stopRanging(_ constraint: BeaconConstraint, isPassive: Bool)
  /// Adds a session that wants the reception of ranged beacons, or removes one.
  func countReception(isWanted: Bool)
  func startScanning()
  func stopScanning()
  /// Whether the config has a region.
  func hasConfiguredRegion(_ identifier: String) -> Bool
  /// Returns the region that a client defines.
  func region(_ definition: [String: ConfigurationNode], of owner: RegionOwner) throws(RegionRefusal) -> Region
  func startMonitoring(_ region: Region)
  func stopMonitoring(_ identifiers: [String], of owner: RegionOwner)
  /// Forgets an owner that has no regions left and will not return.
  func forget(_ owner: RegionOwner)
}

/// The regions that outlive the sessions that registered them.
public protocol SessionRegistrations: AnyObject {
  func register(
    _ definition: [String: ConfigurationNode], as identifier: String, of app: AppID, for client: ConsentClient
  ) throws(RegistrationError)
  func unregister(_ identifier: String?, of app: AppID, user: UInt32) throws(RegistrationError)
  /// Returns the identifiers of an app's regions, in order of registration.
  func registeredIdentifiers(of app: AppID, user: UInt32) -> [String]
  /// Returns the number of regions of all apps of a user.
  func registrationCount(of user: UInt32) -> Int
}

/// The names and addresses of locations.
public protocol SessionPlaces: AnyObject {
  /// Returns a location with its age and the names of its place.
  func report(_ location: Location, at now: Instant, locale: String?, hidesOwnPlaces: Bool, wanted: Double) -> LocationReport
  /// Requests the address of a location that a stream of updates reports, so that later reports may have it.
  func prepareAddress(of location: Location, locale: String?, wanted: Double)
  /// Calls `completion` when the address of a location is known or does not arrive in time; at once if none is looked up.
  func lookUpAddress(of location: Location, locale: String?, wanted: Double, completion: @escaping () -> Void)
}

extension MonitoringService: SessionMonitoring, SessionRegistrations, SessionPlaces {
  public var hearsBeacons: Bool { source.hearsBeacons }

  public func hasConfiguredRegion(_ identifier: String) -> Bool { watch(identifier, of: .config) != nil }

  public func prepareAddress(of location: Location, locale: String?, wanted: Double) {
    if let query = addressQuery(for: location, locale: locale, wanted: wanted) { geocoding?.prepare(query) }
  }

  public func lookUpAddress(of location: Location, locale: String?, wanted: Double, completion: @escaping () -> Void) {
    guard let query = addressQuery(for: location, locale: locale, wanted: wanted), let geocoding else { return completion() }
    geocoding.lookUp(query) { _ in completion() }
  }
}

/// The location of the device.
public protocol SessionPositioning: AnyObject {
  /// True if a source is configured that may supply the location.
  var hasSources: Bool { get }
  /// The health of each source.
  var sources: [LocationSourceStatus] { get }
  /// The location; nil while it is unknown.
  var location: Location? { get }
  /// The reason why the location is unknown.
  var unknownReason: String { get }
  /// The time on the clock of `Location.received`.
  var now: Instant { get }
  /// Starts updates, whose outputs go to `LocationSubscriptions.take(_:)`, or replaces the listener's request.
  func listen(_ listener: Locator.Listener, _ request: LocationRequest)
  /// Starts a search for one fix that ends after `timeout` at the latest.
  func search(_ listener: Locator.Listener, _ accuracy: DesiredAccuracy, timeout: Span)
  /// Ends the updates or the search of a listener.
  func end(_ listener: Locator.Listener)
}

extension PositioningService: SessionPositioning {}

/// The heading of the device.
public protocol SessionHeadings: AnyObject {
  /// Whether a source is present.
  var isAvailable: Bool { get }
  /// The reason why a request is refused; nil if a source is present, or may turn out to be.
  var requestObstacle: String? { get }
  /// Starts updates, whose outputs go to `HeadingSubscriptions.take(_:)`, or replaces the client's request.
  func listen(_ client: HeadingService.Client, _ request: HeadingRequest)
  func end(_ client: HeadingService.Client)
  func dismissCalibration(_ client: HeadingService.Client)
}

extension HeadingService: SessionHeadings {}

/// Guidance and routes.
public protocol SessionGuidance: AnyObject {
  /// Throws if guidance to a destination cannot begin, whatever the position is.
  func check(_ request: GuidanceRequest) throws(GuidanceRefusal)
  /// Starts guidance, whose outputs go to `GuidanceSubscriptions.take(_:)`, or replaces that of the client.
  func start(_ client: GuidanceService.Client, _ request: GuidanceRequest) throws(GuidanceRefusal)
  /// Ends the guidance of a client, without an output.
  func end(_ client: GuidanceService.Client)
  /// Ends the guidance of a client, and reports the reason to it.
  func end(_ client: GuidanceService.Client, _ end: GuidanceEnd)
  /// Finds a route, now or as soon as the position is known.
  func route(
    _ query: RouteQuery, for client: GuidanceService.Client, timeout: Span,
    completion: @escaping (Result<RouteReport, GuidanceRefusal>) -> Void)
  /// Ends the pending queries of a client, which are not completed any more.
  func cancelQueries(of client: GuidanceService.Client)
}

extension GuidanceService: SessionGuidance {}

/// The advice for the appointments of sessions, by their numbers.
public protocol SessionDepartures: AnyObject {
  /// Returns the reason why no appointment can begin at a time; nil if one can.
  func refusal(ofStart start: UInt64) -> String?
  func place(_ name: String, venue: String?) throws(AppointmentPlace.Failure) -> AppointmentPlace
  func add(_ appointment: PlannedAppointment, of session: UInt32) -> Bool
  @discardableResult func remove(_ id: PlannedAppointment.ID, of session: UInt32) -> Bool
  /// Removes the past appointments of a session, and returns the remaining ones.
  func removePast(of session: UInt32) -> Set<PlannedAppointment.ID>
  func suspend(_ session: UInt32)
  func resume(_ session: UInt32)
  func removeAll(of session: UInt32)
}

extension DepartureService: SessionDepartures {}

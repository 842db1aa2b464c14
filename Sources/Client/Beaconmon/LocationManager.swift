internal import DBus
internal import MonitorClient
import Synchronization

/// Locates the device, ranges beacons and monitors regions for a program. Core Location's CLLocationManager.
///
/// A manager can be created and called from any thread. It talks to `beaconmond` from a thread of its own. When the service or the
/// bus restarts, the manager reconnects and repeats its requests. The requests end when the manager is released and none of its
/// sequences is iterated any more; registered regions stay.
///
/// Any device in range can record and imitate a beacon. Its proximity is a hint and no proof: do not unlock or charge on it.
public final class LocationManager: Sendable {
  let session: ServiceSession
  /// The name of the program; nil if it has none.
  public let appID: String?
  let dispatcher: DelegateDispatcher
  /// The number of the pending `requestLocation`; nil if none is pending, and 0 while it starts.
  let request = Mutex<UInt64?>(nil)

  /// The delegate, which the manager does not retain. A delegate that is set late first receives the queued events.
  @MainActor public weak var delegate: (any LocationManagerDelegate)? {
    didSet { dispatcher.schedule() }
  }

  /// - Parameters:
  ///   - purpose: the reason for using locations and beacons, in a line of at most 200 characters. It is shown in the request for
  ///     consent. Core Location's NSLocationWhenInUseUsageDescription.
  ///   - appID: the name of the program's desktop file: "org.example.Guide". Registering regions requires one.
  ///   - requirements: the capabilities without which nothing starts. While the device lacks one, each request fails with
  ///     `LocationError.Code.missingCapability`, and starts by itself when the hardware has come, except for `requestLocation`.
  ///   - bus: the D-Bus of the service.
  ///   - delivery: the way in which calls of the delegate reach the main actor.
  public init(
    purpose: String, appID: String? = nil, requiring requirements: Set<RequiredCapability> = [], bus: Bus = .automatic,
    delivery: Delivery = .mainQueue
  ) {
    self.appID = appID
    session = ServiceSession(purpose: purpose, appID: appID, requiring: requirements, bus: bus)
    dispatcher = DelegateDispatcher(session, delivery)
    dispatcher.manager = self
  }

  // MARK: Authorization

  /// The authorization of this program; `notDetermined` until the service was reached.
  public var authorizationStatus: AuthorizationStatus { session.read(\.authorization) ?? .notDetermined }

  /// A human-readable reason for the authorization, and how to change it.
  public var authorizationReason: String { session.read(\.authorizationReason) }

  /// Asks the user for consent if there is no decision. Each start of ranging, monitoring or updates asks too.
  public func requestWhenInUseAuthorization() { session.requestAuthorization(always: false) }

  public func requestAlwaysAuthorization() { session.requestAuthorization(always: true) }

  /// Returns true if location services are on. Throws a `LocationError` if the service is unavailable.
  public static func locationServicesEnabled(bus: Bus = .automatic) async throws(LocationError) -> Bool {
    do throws(DBusError) {
      return try await ServiceQuery.ask(bus) { client, completion in client.privacy.isEnabled(completion) }
    } catch {
      throw LocationError(.network, error.message)
    }
  }

  /// The required capabilities that the device lacks at present, with the reason and what to do.
  /// Nil until the service was reached; empty for a manager that requires none.
  public var missingCapabilities: [RequiredCapability: String]? { session.read(\.missingCapabilities) }

  /// The availability of the service.
  public var serviceStatus: ServiceStatus { session.read(\.service) }

  // MARK: Ranging

  public func startRangingBeacons(satisfying constraint: BeaconIdentityConstraint) { session.startRanging(constraint) }

  public func stopRangingBeacons(satisfying constraint: BeaconIdentityConstraint) { session.stopRanging(constraint) }

  /// The constraints that were started, including those that the service denies or cannot range while it is unavailable.
  public var rangedBeaconConstraints: Set<BeaconIdentityConstraint> { session.read(\.constraints) }

  // MARK: Monitoring

  /// Starts monitoring a region, at most 20 at a time. A region of the same identifier is replaced without an event.
  public func startMonitoring(for region: any Region) {
    guard let region = region as? any WatchableRegion else { return session.report(.monitoringFailed(region, Self.notWatchable)) }
    session.startMonitoring(region)
  }

  public func stopMonitoring(for region: any Region) { session.stopMonitoring(region.identifier) }

  /// Requests the present state of a region; the answer is `didDetermineState`.
  public func requestState(for region: any Region) { session.requestState(region.identifier) }

  static let notWatchable = LocationError(
    .regionMonitoringFailure, "only a BeaconRegion, a CircularRegion, a PlaceRegion or a ConfiguredRegion can be monitored")

  /// The regions that were started, in that order, including those that the service denies or that wait for it.
  public var monitoredRegions: [any Region] { session.read(\.regions) }
}

// MARK: Sequences

extension LocationManager {
  /// Ranges a constraint once a second during iteration; a slow task gets only the latest update.
  ///
  /// The sequence throws when the service refuses, and waits while the service is unavailable.
  public func rangingUpdates(satisfying constraint: BeaconIdentityConstraint) -> UpdateSequence<RangingUpdate, LocationError> {
    let session = session
    return UpdateSequence(
      begin: {
        let subscription = Subscription(session, onEnd: { $0.endRanging(constraint) }) { event in
          switch event {
          case .ranged(let update): update.constraint == constraint
          case .rangingFailed(constraint, _): true
          default: false
          }
        }
        session.beginRanging(constraint)
        return subscription
      },
      decode: { event in
        switch event {
        case .ranged(let update): .success(update)
        case .rangingFailed(_, let error): .failure(error)
        default: nil
        }
      })
  }

  /// The events of the monitored regions.
  public var regionUpdates: UpdateSequence<RegionUpdate, Never> {
    UpdateSequence(session) { event in
      switch event {
      case .event(let event): .success(.event(event))
      case .state(let region, let state, let beacon, let location, let date):
        .success(
          .event(
            RegionEvent(
              region: region, kind: .stateChanged, state: state, date: date, beacon: beacon, measurement: nil, location: location,
              boundaryDistance: nil, reason: nil, floor: nil, levelName: nil)
          ))
      case .monitoringFailed(let region, let error): .success(.failed(region, error))
      case .registered(let region): .success(.registered(region))
      case .service(.available(let gap?)): .success(.gap(gap))
      default: nil
      }
    }
  }

  /// The authorization status, as soon as it is known, and its changes.
  public var authorizationUpdates: UpdateSequence<AuthorizationStatus, Never> { .authorizations(of: session) }

  /// The present availability of the service, and its changes.
  public var serviceUpdates: UpdateSequence<ServiceStatus, Never> { .services(of: session) }
}

extension UpdateSequence where Failure == Never {
  static func authorizations(of session: ServiceSession) -> Self where Element == AuthorizationStatus {
    UpdateSequence(session) { if case .authorization(let status, _) = $0 { .success(status) } else { nil } }
  }

  static func services(of session: ServiceSession) -> Self where Element == ServiceStatus {
    UpdateSequence(session) { if case .service(let status) = $0 { .success(status) } else { nil } }
  }
}

/// The D-Bus that the service is on.
public enum Bus: Hashable, Sendable {
  /// The bus in the environment variable BEACONMON_BUS: `system`, `session` or an address. Defaults to the system bus.
  case automatic
  case system
  case session
  /// An address in the syntax of the D-Bus specification: `unix:path=/run/user/1000/bus`.
  case address(String)
}

import Synchronization

/// Says where the device is, ranges beacons and monitors regions for a program. Core Location's CLLocationManager.
///
/// It may be made and called from any thread. It talks to `beaconmond` from a thread of its own, reconnects by itself when the service or the bus restarts, and
/// asks again for everything that was asked for. What it asked for ends when it is released and no sequence of it is iterated any more; what it has registered stays.
///
/// A beacon can be copied by anybody who has heard it once. That one is near is a hint, never a proof: do not unlock or charge on it.
public final class LocationManager: Sendable {
  let session: ServiceSession
  /// What the program is called.
  public let appID: String?
  let mailbox: DelegateMailbox
  /// The number of what `requestLocation` waits for.
  let request = Mutex<UInt64?>(nil)

  /// Not kept alive. One that comes late hears first what was told before, as far as it is kept.
  @MainActor public weak var delegate: (any LocationManagerDelegate)? {
    didSet { mailbox.schedule() }
  }

  /// - Parameters:
  ///   - purpose: what the locations and beacons are for, in a line of at most 200 characters; shown to whoever decides. Core Location's
  ///     NSLocationWhenInUseUsageDescription.
  ///   - appID: what the program is called, as its desktop file is: "org.example.Guide". Only who has one can register regions.
  ///   - bus: where the service is.
  ///   - delivery: how calls of the delegate come to the main actor.
  public init(purpose: String, appID: String? = nil, bus: Bus = .automatic, delivery: Delivery = .mainQueue) {
    self.appID = appID
    session = ServiceSession(purpose: purpose, appID: appID, bus: bus)
    mailbox = DelegateMailbox(session, delivery)
    mailbox.manager = self
  }

  // MARK: Authorization

  /// `notDetermined` until the service was reached.
  public var authorizationStatus: AuthorizationStatus { session.read(\.authorization) ?? .notDetermined }

  /// Why, and what would change it, for people.
  public var authorizationReason: String { session.read(\.authorizationReason) }

  /// Asks where nobody has decided. Starting anything asks too.
  public func requestWhenInUseAuthorization() { session.requestAuthorization(always: false) }

  public func requestAlwaysAuthorization() { session.requestAuthorization(always: true) }

  /// Whether location services are on at all. Throws a `LocationError` where the service cannot be reached.
  public static func locationServicesEnabled(bus: Bus = .automatic) async throws(LocationError) -> Bool {
    try await SwitchQuestion.ask(bus)
  }

  /// Whether the service is there.
  public var serviceStatus: ServiceStatus { session.read(\.service) }

  // MARK: Ranging

  public func startRangingBeacons(satisfying constraint: BeaconIdentityConstraint) { session.startRanging(constraint) }

  public func stopRangingBeacons(satisfying constraint: BeaconIdentityConstraint) { session.stopRanging(constraint) }

  /// Those that were started, also while the service is away or denies them.
  public var rangedBeaconConstraints: Set<BeaconIdentityConstraint> { session.read(\.constraints) }

  // MARK: Monitoring

  /// A region of the same identifier is replaced, without an event. 20 at most.
  public func startMonitoring(for region: any Region) {
    guard let region = region as? any WatchableRegion else { return session.tell(.monitoringFailed(region, Self.notWatchable)) }
    session.startMonitoring(region)
  }

  public func stopMonitoring(for region: any Region) { session.stopMonitoring(region.identifier) }

  /// Answered by `didDetermineState`.
  public func requestState(for region: any Region) { session.requestState(region.identifier) }

  static let notWatchable = LocationError(
    .regionMonitoringFailure, "only a BeaconRegion, a CircularRegion or a ConfiguredRegion can be monitored")

  /// Those that were started, in their order, also while the service is away or denies them.
  public var monitoredRegions: [any Region] { session.read(\.regions) }
}

// MARK: As sequences

extension LocationManager {
  /// Ranges while it is iterated, once a second; what a slow task gets is the latest. Throws when the service refuses; waits while it is away.
  public func rangingUpdates(satisfying constraint: BeaconIdentityConstraint) -> UpdateSequence<RangingUpdate, LocationError> {
    let session = session
    return UpdateSequence(
      begin: {
        let subscription = Subscription(session, onEnd: { $0.endRanging(constraint) }) { news in
          switch news {
          case .ranged(let update): update.constraint == constraint
          case .rangingFailed(constraint, _): true
          default: false
          }
        }
        session.beginRanging(constraint)
        return subscription
      },
      decode: { news in
        switch news {
        case .ranged(let update): .success(update)
        case .rangingFailed(_, let error): .failure(error)
        default: nil
        }
      })
  }

  /// What happens at the regions that are monitored.
  public var regionUpdates: UpdateSequence<RegionUpdate, Never> {
    UpdateSequence(session) { news in
      switch news {
      case .event(let event): .success(.event(event))
      case .state(let region, let state, let beacon, let location, let date):
        .success(.event(RegionEvent(region: region, kind: .stateChanged, state: state, date: date, beacon: beacon, location: location)))
      case .monitoringFailed(let region, let error): .success(.failed(region, error))
      case .registered(let region): .success(.registered(region))
      case .service(.available(let gap?)): .success(.gap(gap))
      default: nil
      }
    }
  }

  /// The status as soon as it is known, and then each other one.
  public var authorizationUpdates: UpdateSequence<AuthorizationStatus, Never> { .authorizations(of: session) }

  /// The status as it is, and then each other one.
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

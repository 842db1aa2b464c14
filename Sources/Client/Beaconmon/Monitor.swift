import FoundationEssentials

/// Watches conditions and remembers the last event of each. Core Location's CLMonitor.
///
/// Conditions live as long as the monitor: it does not find those of an earlier run of the program.
public actor Monitor {
  public typealias BeaconIdentityCondition = Beaconmon.BeaconIdentityCondition
  public typealias CircularGeographicCondition = Beaconmon.CircularGeographicCondition
  public typealias ConfiguredCondition = Beaconmon.ConfiguredCondition

  public nonisolated let name: String
  private let session: ServiceSession
  private let ledger: MonitorLedger

  /// - Parameters:
  ///   - name: the program's own word for it.
  ///   - purpose, appID, bus: as a `LocationManager` takes them.
  public init(_ name: String, purpose: String, appID: String? = nil, bus: Bus = .automatic) async {
    self.name = name
    session = ServiceSession(purpose: purpose, appID: appID, bus: bus)
    ledger = MonitorLedger(session)
  }

  /// One of the same identifier is replaced. 20 at most; what the service refuses is `unmonitored`.
  ///
  /// - Parameter state: what the condition is taken to be before anything is known: from there on, events are changes.
  public func add(_ condition: some Condition, identifier: String, assuming state: Event.State = .unknown) {
    ledger.add(condition, identifier, state)
    guard let condition = condition as? any WatchableCondition else {
      return ledger.refuse(
        identifier,
        LocationError(
          .regionMonitoringFailure,
          "only a BeaconIdentityCondition, a CircularGeographicCondition or a ConfiguredCondition can be monitored"))
    }
    session.startMonitoring(condition.region(identifier), assuming: state.regionState)
  }

  public func remove(_ identifier: String) {
    ledger.remove(identifier)
    session.stopMonitoring(identifier)
  }

  /// In the order in which they came.
  public var identifiers: [String] { ledger.identifiers }

  public func record(for identifier: String) -> Record? { ledger.record(identifier) }

  /// What happens from now on. `record(for:)` has what happened before.
  public var events: UpdateSequence<Event, Never> { UpdateSequence(session) { Event($0).map { .success($0) } } }

  /// The status as soon as it is known, and then each other one.
  public nonisolated var authorizationUpdates: UpdateSequence<AuthorizationStatus, Never> { .authorizations(of: session) }

  /// The status as it is, and then each other one.
  public nonisolated var serviceUpdates: UpdateSequence<ServiceStatus, Never> { .services(of: session) }
}

extension Monitor {
  public struct Event: Sendable {
    public enum State: String, Hashable, Sendable {
      case unknown
      case satisfied
      case unsatisfied
      /// The service refuses it; `error` says why.
      case unmonitored
    }

    public let identifier: String
    public let state: State
    public let date: Date
    /// The one beacon that satisfied a condition that takes several.
    public let refinement: (any Condition)?
    public let error: LocationError?
  }

  public struct Record: Sendable {
    public let condition: any Condition
    /// What it was assumed to be, before anything happened.
    public let lastEvent: Event
  }
}

extension Monitor.Event {
  init?(_ news: News) {
    switch news {
    // It changes no state.
    case .event(let event) where event.kind == .crossed: return nil
    case .event(let event):
      self.init(
        identifier: event.region.identifier, state: State(event.state), date: event.date, refinement: event.beacon, error: nil)
    case .state(let region, let state, let beacon, _, let date):
      self.init(identifier: region.identifier, state: State(state), date: date, refinement: beacon, error: nil)
    case .monitoringFailed(let region?, let error):
      self.init(identifier: region.identifier, state: .unmonitored, date: Date(), refinement: nil, error: error)
    default: return nil
    }
  }
}

extension Monitor.Event.State {
  init(_ state: RegionState) {
    switch state {
    case .unknown: self = .unknown
    case .inside: self = .satisfied
    case .outside: self = .unsatisfied
    }
  }

  var regionState: RegionState {
    switch self {
    case .unknown, .unmonitored: .unknown
    case .satisfied: .inside
    case .unsatisfied: .outside
    }
  }
}

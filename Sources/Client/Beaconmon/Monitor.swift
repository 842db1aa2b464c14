import FoundationEssentials
import Synchronization

/// Watches conditions and remembers the last event of each. Core Location's CLMonitor.
///
/// Conditions live as long as the monitor. A new run of the program does not find those of an earlier run.
public actor Monitor {
  public typealias BeaconIdentityCondition = Beaconmon.BeaconIdentityCondition
  public typealias CircularGeographicCondition = Beaconmon.CircularGeographicCondition
  public typealias PlaceCondition = Beaconmon.PlaceCondition
  public typealias ConfiguredCondition = Beaconmon.ConfiguredCondition

  public nonisolated let name: String
  private let session: ServiceSession
  private let records: MonitorRecords

  /// - Parameters:
  ///   - name: the program's own name for the monitor.
  ///   - purpose: the reason for the request, which the user sees; see `LocationManager`.
  ///   - appID: the name of the app's desktop file, without its suffix.
  ///   - bus: the bus of the service.
  public init(_ name: String, purpose: String, appID: String? = nil, bus: Bus = .automatic) async {
    self.name = name
    session = ServiceSession(purpose: purpose, appID: appID, bus: bus)
    records = MonitorRecords(session)
  }

  /// Adds a condition, at most 20. A condition of the same identifier is replaced.
  ///
  /// A condition that the service refuses becomes `unmonitored`.
  ///
  /// - Parameters:
  ///   - condition: a beacon, a circle, a place or a region of the config.
  ///   - identifier: the program's own name for the condition.
  ///   - state: the assumed state before the first observation; later events are changes of it.
  public func add(_ condition: some Condition, identifier: String, assuming state: Event.State = .unknown) {
    records.add(condition, identifier, state)
    guard let condition = condition as? any WatchableCondition else {
      return records.refuse(
        identifier,
        LocationError(
          .regionMonitoringFailure,
          "only a BeaconIdentityCondition, a CircularGeographicCondition, a PlaceCondition or a ConfiguredCondition can be monitored"))
    }
    session.startMonitoring(condition.region(identifier), assuming: state.regionState)
  }

  public func remove(_ identifier: String) {
    records.remove(identifier)
    session.stopMonitoring(identifier)
  }

  /// The identifiers of the conditions, in the order in which they were added.
  public var identifiers: [String] { records.identifiers }

  public func record(for identifier: String) -> Record? { records.record(identifier) }

  /// The events from now on. `record(for:)` returns the last earlier one.
  public var events: UpdateSequence<Event, Never> { UpdateSequence(session) { Event($0).map { .success($0) } } }

  /// The authorization status, as soon as it is known, and its changes.
  public nonisolated var authorizationUpdates: UpdateSequence<AuthorizationStatus, Never> { .authorizations(of: session) }

  /// The present availability of the service, and its changes.
  public nonisolated var serviceUpdates: UpdateSequence<ServiceStatus, Never> { .services(of: session) }
}

extension Monitor {
  public struct Event: Sendable {
    public enum State: String, Hashable, Sendable {
      case unknown
      case satisfied
      case unsatisfied
      /// The service refuses the condition; `error` is the reason.
      case unmonitored
    }

    public let identifier: String
    public let state: State
    public let date: Date
    /// The beacon that satisfied a condition for several beacons; nil if there is none.
    public let refinement: (any Condition)?
    public let error: LocationError?
  }

  public struct Record: Sendable {
    public let condition: any Condition
    /// The last event; the assumed state if there was no event.
    public let lastEvent: Event
  }
}

extension Monitor.Event {
  init?(_ event: SessionEvent) {
    switch event {
    // A crossing changes no state.
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

/// The last event of each of a monitor's conditions, kept with and without a consumer.
final class MonitorRecords: SessionEventReader {
  private struct Entry {
    let identifier: String
    var record: Monitor.Record
  }

  private let entries = Mutex<[Entry]>([])
  private let session: ServiceSession

  init(_ session: ServiceSession) {
    self.session = session
    _ = session.add(self)
  }

  deinit {
    session.remove(ObjectIdentifier(self))
  }

  var identifiers: [String] { entries.withLock { $0.map(\.identifier) } }

  func record(_ identifier: String) -> Monitor.Record? {
    entries.withLock { $0.first { $0.identifier == identifier }?.record }
  }

  func add(_ condition: any Condition, _ identifier: String, _ state: Monitor.Event.State) {
    let assumed = Monitor.Event(identifier: identifier, state: state, date: Date(), refinement: nil, error: nil)
    let entry = Entry(identifier: identifier, record: Monitor.Record(condition: condition, lastEvent: assumed))
    entries.withLock { entries in
      if let index = entries.firstIndex(where: { $0.identifier == identifier }) {
        entries[index] = entry
      } else {
        entries.append(entry)
      }
    }
  }

  func remove(_ identifier: String) {
    entries.withLock { $0.removeAll { $0.identifier == identifier } }
  }

  func refuse(_ identifier: String, _ error: LocationError) {
    note(Monitor.Event(identifier: identifier, state: .unmonitored, date: Date(), refinement: nil, error: error))
  }

  func take(_ event: SessionEvent) {
    if let event = Monitor.Event(event) { note(event) }
  }

  private func note(_ event: Monitor.Event) {
    entries.withLock { entries in
      guard let index = entries.firstIndex(where: { $0.identifier == event.identifier }) else { return }
      entries[index].record = Monitor.Record(condition: entries[index].record.condition, lastEvent: event)
    }
  }
}

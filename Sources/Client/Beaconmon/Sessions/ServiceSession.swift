internal import Beacons
internal import Consent
internal import DBus
internal import EventLoop
import FoundationEssentials
internal import Locations
internal import MonitorClient
internal import Records
import Synchronization

/// The program's session, usable from any thread: its requests, its latest state and its readers.
///
/// Releasing the object ends the session.
final class ServiceSession: Sendable {
  struct State {
    /// Nil until the service was reached.
    var authorization: AuthorizationStatus?
    var authorizationReason = ""
    var service = ServiceStatus.connecting
    /// The monitored regions, in the order in which monitoring began.
    var regions: [any Region] = []
    /// The regions that this program has registered, by identifier.
    var registrations: [String: any Region] = [:]
    var constraints: Set<BeaconIdentityConstraint> = []
    var options = LocationOptions()
    var manualLocation: Location?
    var headingSettings = HeadingSettings()
    /// The last received heading; nil without a present one.
    var heading: Heading?
    /// Nil while no calibration is needed.
    var headingCalibration: HeadingCalibration?
    var beaconEvents = BeaconEventDemand()
    /// The monitored appointments, in the order in which monitoring began.
    var appointments: [Appointment] = []
    /// The number of the present guidance; nil without one, and the last number.
    var guidance: UInt64?
    var lastGuidance: UInt64 = 0
    /// Nil until the service was reached.
    var capabilities: Set<Capability>?
    /// The reasons by capability; nil until the service was reached.
    var missingCapabilities: [RequiredCapability: String]?
    /// The last received location, however old; nil if there was none.
    var location: Location?
    /// The present location, or its absence, for new readers; nil while there is neither.
    var current: SessionEvent?
    var isStationary = false
    /// The completions of pending searches, by number.
    var searches: [UInt64: @Sendable (Result<Location, LocationError>) -> Void] = [:]
    var lastSearch: UInt64 = 0
    /// The number of users of each constraint: the program itself, and each sequence.
    var rangings: [BeaconIdentityConstraint: Int] = [:]
    fileprivate var readers: [ObjectIdentifier: Reader] = [:]
  }

  fileprivate struct Reader {
    weak var reader: (any SessionEventReader)?
  }

  let state = Mutex(State())
  /// The claims of the program, for a connection of its own.
  let purpose: String
  let bus: Bus
  /// The thread of the bus connection; nil if the system has no thread or no descriptor left.
  let thread: ServiceThread?

  init(purpose: String, appID: String?, requiring requirements: Set<RequiredCapability> = [], bus: Bus) {
    (self.purpose, self.bus) = (purpose, bus)
    do throws(SystemCallError) {
      thread = try ServiceThread.current()
    } catch {
      thread = nil
      let reason = LocationError(.network, "\(error)")
      state.withLock { $0.service = .away(reason) }
    }
    let key = ObjectIdentifier(self)
    let names = requirements.map(\.rawValue).sorted()
    thread?.perform { [weak self] room in
      do throws(DBusError) {
        room.sessions[key] = try RemoteSession(
          loop: room.loop, address: bus.address, purpose: purpose, appID: appID, requirements: names
        ) { [weak self] in self?.receive($0) }
      } catch {
        self?.receive(.away(error))
      }
    }
  }

  deinit {
    let key = ObjectIdentifier(self)
    thread?.perform { $0.sessions[key] = nil }
  }

  var hasThread: Bool { thread != nil }

  func read<Value: Sendable>(_ body: (State) -> Value) -> Value { state.withLock { body($0) } }

  /// Calls `body` on the session's thread.
  ///
  /// - Parameter otherwise: called if there is a thread but no session, because the bus has no address.
  func perform(_ body: @escaping @Sendable (RemoteSession) -> Void, otherwise: @escaping @Sendable () -> Void = {}) {
    let key = ObjectIdentifier(self)
    thread?.perform { room in room.sessions[key].map(body) ?? otherwise() }
  }
}

// MARK: Events

extension ServiceSession {
  /// Adds a reader of all later events, and returns the present status as its first event.
  func add(_ reader: any SessionEventReader) -> [SessionEvent] {
    state.withLock { state in
      state.readers[ObjectIdentifier(reader)] = Reader(reader: reader)
      return [.service(state.service)] + (state.authorization.map { [.authorization($0, reason: state.authorizationReason)] } ?? [])
    }
  }

  func remove(_ reader: ObjectIdentifier) {
    _ = state.withLock { $0.readers.removeValue(forKey: reader) }
  }

  private func receive(_ event: RemoteSessionEvent) {
    switch event {
    case .capabilities(let names): state.withLock { $0.capabilities = Set(names.compactMap { Capability(rawValue: $0) }) }
    case .missing(let reports):
      let missing = reports.compactMap { report -> (RequiredCapability, String)? in
        report.capability.flatMap(RequiredCapability.init(rawValue:)).map { ($0, report.note ?? "") }
      }
      state.withLock { $0.missingCapabilities = Dictionary(missing) { first, _ in first } }
    case .searched(let number, let answer):
      let location = answer.mapError { LocationError(locating: $0) }.flatMap { report in
        Location(report).map { .success($0) } ?? .failure(LocationError(.timeout, "the answer is not a location"))
      }
      finish(number, location)
    default: if let event = SessionEvent(event, of: self) { report(event) }
    }
  }

  func report(_ event: SessionEvent) {
    // Readers are released outside of the lock, because this may hold the last reference to one.
    let readers = state.withLock { state in
      switch event {
      case .service(let status):
        state.service = status
        if case .away = status {
          (state.current, state.isStationary) = (nil, false)
          (state.heading, state.headingCalibration) = (nil, nil)
        }
      case .authorization(let status, let reason): (state.authorization, state.authorizationReason) = (status, reason)
      case .located(let location): (state.location, state.current) = (location, event)
      case .stationary(let isStationary): state.isStationary = isStationary
      case .locationUnknown: (state.current, state.isStationary) = (event, false)
      case .locatingFailed: (state.current, state.isStationary) = (nil, false)
      // An event that was on its way when the last part of the program stopped is not present.
      case .heading(let heading): state.heading = state.headingSettings.options == nil ? nil : heading
      case .headingFailed: state.heading = nil
      case .guidance(let token, .ended): if state.guidance == token { state.guidance = nil }
      case .guidanceRefused(let token, _):
        guard state.guidance == token else { break }
        state.guidance = nil
        // The sequence ends. A request that stayed would begin without a reader when a source appears.
        perform { $0.stop(.guiding) }
      case .headingRefused: (state.heading, state.headingCalibration) = (nil, nil)
      case .headingCalibration(let calibration):
        state.headingCalibration = calibration.isNeeded && state.headingSettings.options != nil ? calibration : nil
      default: break
      }
      return state.readers.values.compactMap(\.reader)
    }
    for reader in readers { reader.take(event) }
  }
}

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
    fileprivate var rangings: [BeaconIdentityConstraint: Int] = [:]
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
  private let thread: ServiceThread?

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

// MARK: Requests of the program

extension ServiceSession {
  func startRanging(_ constraint: BeaconIdentityConstraint) {
    state.withLock { state in
      if state.constraints.insert(constraint).inserted { state.rangings[constraint, default: 0] += 1 }
      perform { $0.startRanging(constraint.constraint) }
    }
  }

  func stopRanging(_ constraint: BeaconIdentityConstraint) {
    if state.withLock({ $0.constraints.remove(constraint) }) != nil { endRanging(constraint) }
  }

  /// Starts ranging for one more sequence.
  func beginRanging(_ constraint: BeaconIdentityConstraint) {
    state.withLock { state in
      state.rangings[constraint, default: 0] += 1
      // The session repeats a ranging request only if it was refused.
      perform { $0.startRanging(constraint.constraint) }
    }
  }

  func endRanging(_ constraint: BeaconIdentityConstraint) {
    state.withLock { state in
      let left = (state.rangings[constraint] ?? 1) - 1
      state.rangings[constraint] = left > 0 ? left : nil
      if left <= 0 { perform { $0.stop(.ranging(constraint.constraint)) } }
    }
  }

  func startMonitoring(_ region: any WatchableRegion, assuming state: RegionState = .unknown) {
    self.state.withLock { known in
      if let index = known.regions.firstIndex(where: { $0.identifier == region.identifier }) {
        known.regions[index] = region
      } else {
        known.regions.append(region)
      }
      perform { $0.startMonitoring(region.request(assuming: state)) }
    }
  }

  func stopMonitoring(_ identifier: String) {
    state.withLock { state in
      state.regions.removeAll { $0.identifier == identifier }
      perform { $0.stop(.monitoring(identifier)) }
    }
  }

  func register(_ region: any WatchableRegion) {
    state.withLock { state in
      state.registrations[region.identifier] = region
      perform { $0.register(region.request(assuming: .unknown)) }
    }
  }

  func unregister(_ identifier: String) {
    // The region stays known, because an answer about it may still arrive.
    perform { $0.unregister(identifier) }
  }

  func registeredRegions() async throws(LocationError) -> [String] {
    let answer = await withCheckedContinuation { (continuation: CheckedContinuation<Result<[String], LocationError>, Never>) in
      let key = ObjectIdentifier(self)
      let answer: @Sendable (Result<[String], LocationError>) -> Void = { answer in
        // Keeps the session until the answer.
        withExtendedLifetime(self) {}
        continuation.resume(returning: answer)
      }
      guard let thread else { return answer(.failure(unreachable)) }
      thread.perform { room in
        guard let session = room.sessions[key] else { return answer(.failure(self.unreachable)) }
        session.registeredRegions { answer($0.mapError { LocationError(.network, $0.message) }) }
      }
    }
    return try answer.get()
  }

  /// The reason why the service is unavailable.
  var unreachable: LocationError {
    if case .away(let reason) = read(\.service) { reason } else { LocationError(.network, "the service cannot be reached") }
  }

  func requestState(_ identifier: String) { perform { $0.requestState(identifier) } }

  /// Requests the present state of every monitored region.
  func requestStates() {
    for region in read(\.regions) { requestState(region.identifier) }
  }

  func requestAuthorization(always: Bool) { perform { $0.requestAuthorization(always ? .always : .whenInUse) } }

  func region(_ identifier: String) -> (any Region)? {
    state.withLock { $0.regions.first { $0.identifier == identifier } }
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

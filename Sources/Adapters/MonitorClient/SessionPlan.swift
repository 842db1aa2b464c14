import Beacons
import Consent
import DBus
import Events
import Instants
import MonitorProtocol
import Records

/// The requests of a program, and their progress in the daemon, across several sessions.
///
/// When the daemon returns, the plan repeats every request, with the last reported state of each region. Therefore a visitor who
/// stayed causes no second enter event, and a visitor who left in the meantime causes an exit event.
struct SessionPlan {
  enum Action: Hashable {
    case open
    case authorize(Use)
    /// Starts a request; its answer goes to `answered`, by number.
    case range(BeaconConstraint, UInt64)
    case monitor(RequestedRegion, UInt64)
    case locate(Record, UInt64)
    case orient(Record, UInt64)
    case guide(Record, UInt64)
    case add(String, Record, UInt64)
    case stop(SessionRequest)
    case requestState(String)
    /// Searches for a location; the answer goes to `searchAnswered`.
    case search(RequestedLocation)
    case cancelSearches
    case setManualLocation(Record)
    /// Registers or unregisters a region; the answer goes to `registrationAnswered`.
    case register(RequestedRegion)
    case unregister(String)
    case report(RemoteSessionEvent)
  }

  /// The reason of a refusal, which decides when the request is repeated.
  enum Refusal: Hashable {
    case consent
    /// The device lacks what the session requires.
    case capability
    case other

    init(_ error: DBusError) {
      self = error.isLackOfConsent ? .consent : error.isMissingCapability ? .capability : .other
    }
  }

  enum Phase: Hashable {
    case away
    case opening
    case open
  }

  struct Item {
    enum Step: Hashable {
      case waiting
      case asked(UInt64)
      case granted
      case refused(Refusal)
    }

    let request: SessionRequest
    /// The appointment, or the options of updates or of guidance; nil for ranging and monitoring.
    var details: Record?
    /// The region; nil for another request.
    var region: RequestedRegion?
    /// The last reported state of a region.
    var state = RegionState.unknown
    /// The last advice for an appointment.
    var advice: Event.Kind?
    var step = Step.waiting
    var hasBegun = false
    var isStateRequested = false

    /// Whether to report that the request has begun.
    /// A region has a state that lasts; other requests begin with each session and consent.
    var isBeginning: Bool {
      if case .monitoring = request { !hasBegun } else { true }
    }
  }

  var phase = Phase.away
  var items: [Item] = []
  var registrations = RegistrationPlan()
  var searches = LocationSearchPlan()
  /// The last reported capabilities of the device; nil before the first session.
  var capabilities: [String]?
  /// The location that the program's user states; nil if none is stated.
  var manualLocation: Record?
  var authorization: Authorization?
  var authorizationReason = ""
  var wantedUse: Use?
  private var lastNumber: UInt64 = 0
  /// The pending calls.
  var calls: [UInt64: SessionRequest] = [:]
  var awayReason: DBusError?
  var gapBegan: Instant?
  /// The calls whose answers end a gap.
  var resuming: Set<UInt64> = []

  func wants(_ request: SessionRequest) -> Bool { items.contains { $0.request == request } }

  func index(_ request: SessionRequest) -> Int? { items.firstIndex { $0.request == request } }
}

// MARK: Requests of the program

extension SessionPlan {
  mutating func startRanging(_ constraint: BeaconConstraint) -> [Action] {
    let request = SessionRequest.ranging(constraint)
    if let index = index(request) {
      guard case .refused = items[index].step else { return [] }
    } else {
      items.append(Item(request: request))
    }
    return phase == .open ? index(request).map { [ask($0)] } ?? [] : []
  }

  /// Starts monitoring a region. A region of the same identifier is replaced.
  ///
  /// The new region keeps the state of the old one if its beacons, its circle or its place are the same.
  ///
  mutating func startMonitoring(_ region: RequestedRegion) -> [Action] {
    let request = SessionRequest.monitoring(region.identifier)
    var item = Item(request: request, region: region, state: region.assumed)
    if let index = index(request) {
      if items[index].region?.shape == region.shape { item.state = items[index].state }
      items[index] = item
    } else {
      items.append(item)
    }
    return phase == .open ? index(request).map { [ask($0)] } ?? [] : []
  }

  mutating func stop(_ request: SessionRequest) -> [Action] {
    guard let index = index(request) else { return [] }
    let step = items.remove(at: index).step
    // A pending call is stopped after its answer. Updates without consent may still deliver the location that the user states,
    // and the daemon resumes an appointment when consent returns.
    let isGoingOn = step == .granted || (request == .locating || request.isAppointment) && step == .refused(.consent)
    return isGoingOn && phase == .open ? [.stop(request)] : []
  }

  mutating func requestState(_ identifier: String) -> [Action] {
    let request = SessionRequest.monitoring(identifier)
    guard let index = index(request) else {
      return [.report(.refused(request, .monitor("NotMonitoring", "\"\(identifier)\" is not monitored; call startMonitoring first")))]
    }
    items[index].isStateRequested = true
    // Otherwise the state is reported when monitoring begins.
    return items[index].step == .granted ? [.requestState(identifier)] : []
  }

  mutating func register(_ region: RequestedRegion) -> [Action] {
    registrations.want(region.identifier, region, isOpen: phase == .open)
  }

  mutating func unregister(_ identifier: String) -> [Action] { registrations.want(identifier, nil, isOpen: phase == .open) }

  mutating func requestAuthorization(_ use: Use) -> [Action] {
    wantedUse = use
    return phase == .open ? [.authorize(use)] : []
  }

  mutating func ask(_ index: Int) -> Action {
    lastNumber += 1
    items[index].step = .asked(lastNumber)
    calls[lastNumber] = items[index].request
    switch items[index].request {
    case .ranging(let constraint): return .range(constraint, lastNumber)
    case .locating: return .locate(items[index].details ?? Record(), lastNumber)
    case .heading: return .orient(items[index].details ?? Record(), lastNumber)
    case .guiding: return .guide(items[index].details ?? Record(), lastNumber)
    case .appointment(let key): return .add(key, items[index].details ?? Record(), lastNumber)
    case .monitoring(let identifier):
      var region = items[index].region ?? RequestedRegion(identifier, .configured)
      // A configured region has its state in the config's region.
      if items[index].state != .unknown && region.isDefinition { region.assumed = items[index].state }
      return .monitor(region, lastNumber)
    }
  }
}

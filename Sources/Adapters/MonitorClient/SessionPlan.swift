import Beacons
import Consent
import DBus
import Events
import Instants
import MonitorProtocol

/// The requests of a program, and their progress in the daemon, across several sessions.
///
/// When the daemon returns, the plan repeats every request, with the last reported state of each region. Therefore a visitor who
/// stayed causes no second enter event, and a visitor who left in the meantime causes an exit event.
struct SessionPlan {
  enum Action: Hashable {
    case open
    case authorize(Use)
    /// Starts a request; its answer goes to `answered`, by number.
    case start(SessionTask, UInt64)
    case stop(SessionRequest)
    case requestState(String)
    /// Searches for a location; the answer goes to `searchAnswered`.
    case search(RequestedLocation)
    case cancelSearches
    /// Sends the location that the user states; nil withdraws it.
    case setManualLocation(ManualLocation?)
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

    var task: SessionTask
    /// The last reported state of a region.
    var state = RegionState.unknown
    /// The last advice for an appointment.
    var advice: Event.Kind?
    var step = Step.waiting
    var hasBegun = false
    var isStateRequested = false

    var request: SessionRequest { task.request }

    /// Whether to report that the request has begun.
    /// A region has a state that lasts; other requests begin with each session and consent.
    var isBeginning: Bool {
      if case .monitoring = task { !hasBegun } else { true }
    }
  }

  var phase = Phase.away
  var items: [Item] = []
  var registrations = RegistrationPlan()
  var searches = LocationSearchPlan()
  /// The last reported capabilities of the device; nil before the first session.
  var capabilities: [String]?
  /// The location that the program's user states; nil if none is stated.
  var manualLocation: ManualLocation?
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
  mutating func startRanging(_ constraint: BeaconConstraint) -> [Action] { startOnce(.ranging(constraint)) }

  /// Starts monitoring a region. A region of the same identifier is replaced.
  ///
  /// The new region keeps the state of the old one if its beacons, its circle or its place are the same.
  ///
  mutating func startMonitoring(_ region: RequestedRegion) -> [Action] {
    let request = SessionRequest.monitoring(region.identifier)
    var item = Item(task: .monitoring(region), state: region.assumed)
    if let index = index(request) {
      if case .monitoring(let old) = items[index].task, old.shape == region.shape { item.state = items[index].state }
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
    let continuesInDaemon = step == .granted || (request == .locating || request.isAppointment) && step == .refused(.consent)
    return continuesInDaemon && phase == .open ? [.stop(request)] : []
  }

  mutating func requestState(_ identifier: String) -> [Action] {
    let request = SessionRequest.monitoring(identifier)
    guard let index = index(request) else {
      return [.report(.refused(request, .monitor(.notMonitoring, "\"\(identifier)\" is not monitored; call startMonitoring first")))]
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
    var task = items[index].task
    // A configured region has its state in the config's region.
    if case .monitoring(var region) = task, items[index].state != .unknown, region.isDefinition {
      region.assumed = items[index].state
      task = .monitoring(region)
    }
    return .start(task, lastNumber)
  }

  /// Adds a task, or replaces the one of the same request, and asks the daemon for it.
  mutating func start(_ task: SessionTask) -> [Action] {
    if let index = index(task.request) {
      items[index].task = task
    } else {
      items.append(Item(task: task))
    }
    return phase == .open ? index(task.request).map { [ask($0)] } ?? [] : []
  }

  /// Adds or replaces a task, unless the daemon has it already.
  mutating func startOnce(_ task: SessionTask) -> [Action] {
    if let index = index(task.request), items[index].task == task {
      guard case .refused = items[index].step else { return [] }
    }
    return start(task)
  }
}

/// A continuous request with its options, as a session repeats it to each daemon.
enum SessionTask: Hashable {
  case ranging(BeaconConstraint)
  case monitoring(RequestedRegion)
  case locating(LocationUpdateOptions)
  case heading(HeadingOptions)
  case guiding(GuidanceOptions)
  /// An appointment, and the program's own name of it.
  case appointment(String, AppointmentOptions)

  /// The request without its options, by which it is found, stopped and reported.
  var request: SessionRequest {
    switch self {
    case .ranging(let constraint): .ranging(constraint)
    case .monitoring(let region): .monitoring(region.identifier)
    case .locating: .locating
    case .heading: .heading
    case .guiding: .guiding
    case .appointment(let key, _): .appointment(key)
    }
  }
}

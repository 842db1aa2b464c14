import Geodesy
import Instants
import LocationArbitration
import Locations
import Logging
import Headings
public import RouteReports
import Scheduling
public import Venues
import Wayfinding

/// Leads clients to places, along the routes of the venues or in a straight line.
///
/// Locations and headings are requested only while a client is guided, or waits for a route from its position.
public final class GuidanceService {
  /// A client, identified by a number that the caller chooses.
  public typealias Client = UInt32

  public enum Output: Hashable, Sendable {
    case update(Client, GuidanceReport)
    case route(Client, RouteReport)
    case instruction(Client, InstructionReport)
    case failed(Client, GuidanceFailure)
    case ended(Client, GuidanceEnd)
  }

  /// Receives outputs in order, during the call that causes them.
  public var onOutput: (Output) -> Void = { _ in }
  /// Receives the speed of the visitor on foot in m/s, when some metres of a route give a measurement.
  public var onPace: (Double) -> Void = { _ in }

  let scheduler: any Scheduler
  let locations: any GuidanceLocations
  private let headings: any GuidanceHeadings
  let log: Logger
  var venues: GuidedVenues
  var guides: [Client: VisitorGuide] = [:]
  var queries: [PendingQuery] = []
  /// Whether locations are requested, headings, and the motion of the device.
  private(set) var isOn = false
  private(set) var isPointing = false
  private var isFollowingMotion = false
  var heading: TrustedHeading?
  /// The reason why there is no heading; nil with one, and until the reason is known.
  var headingNote: HeadingNote?
  /// The time of the last report that a heading caused.
  var lastTurn = Instant(microseconds: .min)
  var isTurnPending = false
  /// The time when the location became unknown; nil while it is known.
  var unknownSince: Instant?
  /// The time after which unused networks are dropped.
  var dropNetworksAt = Instant.never
  /// The time of the next check of the location; never while no location is requested.
  var nextCheck = Instant.never
  private var timer: (any SchedulerTimer)?
  var turnTimer: (any SchedulerTimer)?

  /// A request for a route that waits for a position.
  struct PendingQuery {
    let client: Client
    let query: RouteQuery
    let deadline: Instant
    let completion: (Result<RouteReport, GuidanceRefusal>) -> Void
    /// The reason why the last location gave no route.
    var problem: GuidanceRefusal?
  }

  /// The request for headings: changes of two degrees, and the course in a vehicle.
  static let headingRequest = HeadingRequest(filter: 2, followsTravel: true)
  /// The time between two checks of the location.
  static let checkInterval = Span.seconds(2)
  /// The time for which the network of a venue is kept after its last use.
  private static let networkLife = Span.seconds(60)

  public init(
    _ scheduler: any Scheduler, _ locations: any GuidanceLocations, _ headings: any GuidanceHeadings, _ catalogue: Catalogue = Catalogue(),
    log: Logger
  ) {
    (self.scheduler, self.locations, self.headings, self.log) = (scheduler, locations, headings, log)
    venues = GuidedVenues(catalogue)
    timer = scheduler.timer { [unowned self] in checkLocation() }
    turnTimer = scheduler.timer { [unowned self] in turnNow() }
  }

  /// Whether any client is guided.
  public var isGuiding: Bool { !guides.isEmpty }
}

// MARK: Clients

extension GuidanceService {
  /// Throws if guidance to a destination cannot begin, whatever the position is.
  public func check(_ request: GuidanceRequest) throws(GuidanceRefusal) {
    defer { keepNetworks() }
    _ = try venues.located(request.destination)
    try requireSource()
  }

  /// Starts guidance, whose outputs go to `onOutput`, or replaces that of the client. A known location leads at once.
  public func start(_ client: Client, _ request: GuidanceRequest) throws(GuidanceRefusal) {
    defer { keepNetworks() }
    let (destination, network) = try venues.located(request.destination)
    try requireSource()
    var request = request
    request.destination = venues.catalogue.identified(request.destination, at: destination)
    var guide = VisitorGuide(request, to: destination, in: network, timestamp: scheduler.wallClock)
    guide.headingNote = headingNote
    let location = locations.location
    if !isOn { unknownSince = scheduler.now } else if location == nil { unknownSince = unknownSince ?? scheduler.now }
    var outputs: [VisitorGuide.Output] = []
    if let location {
      outputs = guide.take(
        location, heading: heading, motion: locations.motion(at: location), at: location.measured, timestamp: wallClock(location.measured))
    } else {
      outputs = [.update(guide.report)]
    }
    guides[client] = guide
    // Locations that the switch brings at once belong to the new guide.
    emit(outputs, to: client)
    follow()
  }

  /// Ends the guidance of a client, without an output.
  public func end(_ client: Client) {
    guard guides.removeValue(forKey: client) != nil else { return }
    follow()
  }

  /// Ends the guidance of a client, and reports the reason to it.
  public func end(_ client: Client, _ end: GuidanceEnd) {
    guard guides.removeValue(forKey: client) != nil else { return }
    onOutput(.ended(client, end))
    follow()
  }

  /// Whether a client is guided.
  public func isGuiding(_ client: Client) -> Bool { guides[client] != nil }

  func requireSource() throws(GuidanceRefusal) {
    guard !locations.hasSources else { return }
    throw GuidanceRefusal(
      .noLocationSource, "this device has no location source; add a venue file to venues, or a source to [location] in beaconmon.toml")
  }

  /// Requests locations and headings while a client needs them.
  func follow() {
    let isWanted = !guides.isEmpty || !queries.isEmpty
    if isWanted { dropNetworksAt = .never } else if dropNetworksAt == .never { dropNetworksAt = scheduler.now + Self.networkLife }
    if isWanted != isOn {
      isOn = isWanted
      nextCheck = isWanted ? scheduler.now + Self.checkInterval : .never
      if !isWanted {
        (heading, isTurnPending, unknownSince) = (nil, false, nil)
        turnTimer?.arm(at: .never)
      }
      locations.setGuiding(isWanted)
    }
    setPointing(!guides.isEmpty)
    // A straight way outside of the venues does not depend on steps.
    setFollowingMotion(guides.values.contains { $0.network != nil })
    arm()
  }

  private func setPointing(_ isWanted: Bool) {
    guard isWanted != isPointing else { return }
    isPointing = isWanted
    if !isWanted { (heading, headingNote) = (nil, nil) }
    headings.setGuiding(isWanted)
  }

  private func setFollowingMotion(_ isWanted: Bool) {
    guard isWanted != isFollowingMotion else { return }
    isFollowingMotion = isWanted
    locations.setFollowingMotion(isWanted)
  }

  private func arm() {
    let check = isOn ? nextCheck : venues.hasNetworks ? dropNetworksAt : .never
    timer?.arm(at: min(check, queries.map(\.deadline).min() ?? .never))
  }

  /// Keeps networks for a while after a use without hardware.
  func keepNetworks() {
    guard !isOn, venues.hasNetworks else { return }
    dropNetworksAt = scheduler.now + Self.networkLife
    arm()
  }

  func emit(_ outputs: [VisitorGuide.Output], to client: Client) {
    for output in outputs {
      switch output {
      case .update(let report): onOutput(.update(client, report))
      case .route(let route): onOutput(.route(client, route))
      case .instruction(let instruction): onOutput(.instruction(client, instruction))
      case .failed(let failure): onOutput(.failed(client, failure))
      case .ended(let end):
        guides[client] = nil
        onOutput(.ended(client, end))
      case .pace(let speed): onPace(speed)
      }
    }
  }

  func wallClock(_ instant: Instant) -> Instant { scheduler.wallClock - (locations.now - instant) }
}

import Beacons
import Consent
import Instants
import Logging
import RadioHealth
import Scheduling

/// Observes beacons and the location of the device in a session of the daemon, for targets that publish them.
public final class SessionObserver: ObservationLink {
  /// The time between two attempts for a request that the daemon refuses for another reason than missing consent.
  static let pause = Span.seconds(60)

  private let scheduler: any Scheduler
  private let link: any ObservingLink
  private let log: Logger

  public init(_ scheduler: any Scheduler, _ link: any ObservingLink, log: Logger) {
    (self.scheduler, self.link, self.log) = (scheduler, link, log)
  }

  public func observe(_ demand: ObservationDemand, _ body: @escaping (Observation) -> Void) -> AnyObject {
    SessionObservation(scheduler, link, demand, log: log, body)
  }
}

/// The observation in one session.
private final class SessionObservation {
  /// The requested accuracy in metres, one sigma.
  private static let desiredAccuracy = 10.0
  /// The distance in metres below which a location is not reported again.
  private static let distanceFilter = 10.0

  private let scheduler: any Scheduler
  private let link: any ObservingLink
  private let demand: ObservationDemand
  private let log: Logger
  private let body: (Observation) -> Void
  private var session: (any ObservingSession)?
  private var source: AnyObject?
  private var sourceState: SourceState?
  private var timer: (any SchedulerTimer)?
  /// The constraints that the daemon ranges.
  private var ranging: Set<BeaconConstraint> = []
  private var isListening: Bool?
  /// The refusals in the log.
  private var logged: Set<String> = []

  init(
    _ scheduler: any Scheduler, _ link: any ObservingLink, _ demand: ObservationDemand, log: Logger,
    _ body: @escaping (Observation) -> Void
  ) {
    self.scheduler = scheduler
    self.link = link
    self.demand = demand
    self.log = log
    self.body = body
    timer = scheduler.timer { [unowned self] in begin() }
    timer?.arm(at: scheduler.now)
    if !demand.constraints.isEmpty {
      source = link.watchSource { [unowned self] in
        sourceState = $0
        updateListening()
      }
    }
  }

  deinit {
    // Released later, because its callback may still use it.
    let closed = session
    scheduler.enqueue { withExtendedLifetime(closed) {} }
  }

  /// Opens the session, or repeats the requests that were refused.
  private func begin() {
    if session == nil {
      do throws(MonitorFailure) {
        session = try link.openObservingSession(isPassive: demand.isPassive) { [weak self] in self?.take($0) }
      } catch {
        logOnce("beacons and locations are not published: \(error.reason)")
        tryAgainLater()
        return
      }
    }
    for constraint in demand.constraints.subtracting(ranging) { session?.startRanging(constraint) }
    if demand.needsLocation { session?.startLocating(desiredAccuracy: Self.desiredAccuracy, distanceFilter: Self.distanceFilter) }
  }

  private func take(_ event: ObservingSessionEvent) {
    switch event {
    case .ranging(let constraint):
      ranging.insert(constraint)
      logged = []
      updateListening()
    case .beacons(let reports, let time): body(.beacons(reports, at: time))
    case .location(let location): body(.location(location))
    case .rangingRefused(let constraint, let refusal):
      ranging.remove(constraint)
      updateListening()
      refused("beacons are not published", refusal)
    case .locatingRefused(let refusal): refused("the location is not published", refusal)
    case .away: lost()
    case .authorization(let authorization): if !authorization.covers(.whenInUse) { lost() }
    }
  }

  private func refused(_ consequence: String, _ refusal: SessionRefusal) {
    logOnce("\(consequence): \(refusal.reason)")
    // The session itself waits for consent. Any other reason may be temporary, such as a configuration without a source.
    if refusal.cause != .noConsent { tryAgainLater() }
  }

  private func tryAgainLater() { timer?.arm(at: scheduler.now + SessionObserver.pause) }

  private func lost() {
    ranging = []
    updateListening()
    if demand.needsLocation { body(.location(nil)) }
  }

  /// Other users than insiders do not learn the state of the source, so its silence counts as absence of beacons.
  private func updateListening() {
    let isScanning = sourceState.map { $0 == .scanning } ?? true
    let new = !ranging.isEmpty && ranging == demand.constraints && isScanning
    guard new != isListening else { return }
    isListening = new
    body(.listening(new))
  }

  private func logOnce(_ line: String) {
    if logged.insert(line).inserted { log.notice("\(line)") }
  }
}

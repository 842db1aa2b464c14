import Beacons
import Consent
import DBus
import EventLoop
import Instants
import Locations
import Logging
import MonitorClient
import Notification
import RadioHealth
import Records

/// Observes beacons and the location of the device in a session of the daemon, for targets that publish them.
final class SessionObserver: ObservationLink {
  private let loop: Loop
  private let address: BusAddress
  private let client: MonitorClient
  private let log: Logger

  init(_ loop: Loop, _ address: BusAddress, _ client: MonitorClient, log: Logger) {
    self.loop = loop
    self.address = address
    self.client = client
    self.log = log
  }

  func observe(_ demand: ObservationDemand, _ body: @escaping (Observation) -> Void) -> AnyObject {
    ObservingSession(loop, address, client, demand, log: log, body)
  }
}

/// One session, which begins again whenever the daemon returns.
private final class ObservingSession {
  private static let purpose = "Publishes the distances of beacons and the location of this device at MQTT brokers"
  /// The time between two attempts for a request that the daemon refuses for another reason than missing consent.
  private static let pause = Span.seconds(60)
  /// The distance below which a location is not reported again.
  private static let locationOptions = Record(["desiredAccuracy": .text("nearestTenMeters"), "distanceFilter": .count(10)])

  private let loop: Loop
  private let address: BusAddress
  private let demand: ObservationDemand
  private let log: Logger
  private let body: (Observation) -> Void
  private var session: RemoteSession?
  private var source: SourceWatch?
  private var sourceState: SourceState?
  private var timer: Timer?
  /// The constraints that the daemon ranges.
  private var ranging: Set<BeaconConstraint> = []
  private var isListening: Bool?
  /// The refusals in the log.
  private var logged: Set<String> = []

  init(
    _ loop: Loop, _ address: BusAddress, _ client: MonitorClient, _ demand: ObservationDemand, log: Logger,
    _ body: @escaping (Observation) -> Void
  ) {
    self.loop = loop
    self.address = address
    self.demand = demand
    self.log = log
    self.body = body
    timer = loop.timer { [unowned self] in begin() }
    timer?.arm(after: .zero)
    if !demand.constraints.isEmpty {
      source = client.watchSource { [unowned self] in
        sourceState = $0.flatMap(SourceState.init(rawValue:))
        updateListening()
      }
    }
  }

  deinit {
    // Released later, because its callback may still use it.
    let closed = session
    loop.enqueue { withExtendedLifetime(closed) {} }
  }

  /// Opens the session, or repeats the requests that were refused.
  private func begin() {
    if session == nil {
      do throws(DBusError) {
        session = try RemoteSession(loop: loop, address: address, purpose: Self.purpose, appID: nil) { [weak self] in self?.take($0) }
      } catch {
        logOnce("beacons and locations are not published: \(error.message)")
        timer?.arm(after: Self.pause)
        return
      }
    }
    for constraint in demand.constraints.subtracting(ranging) { session?.startRanging(constraint) }
    if demand.needsLocation { session?.startLocating(Self.locationOptions) }
  }

  private func take(_ event: RemoteSessionEvent) {
    switch event {
    case .began(.ranging(let constraint)):
      ranging.insert(constraint)
      logged = []
      updateListening()
    case .ranged(_, let snapshot): body(.beacons(snapshot.beacons.map { BeaconReport($0) }))
    case .located(let record): body(.location(DeviceLocation(LocationReport(record))))
    case .locationUnknown: body(.location(nil))
    case .refused(let request, let error): refused(request, error)
    case .away: lost()
    case .authorization(let authorization, _) where !authorization.covers(.whenInUse): lost()
    default: break
    }
  }

  private func refused(_ request: SessionRequest, _ error: DBusError) {
    if case .ranging(let constraint) = request {
      ranging.remove(constraint)
      updateListening()
      logOnce("beacons are not published: \(error.message)")
    } else {
      logOnce("the location is not published: \(error.message)")
    }
    // The session itself waits for consent. Any other reason may be temporary, such as a configuration without a source.
    if !error.isLackOfConsent { timer?.arm(after: Self.pause) }
  }

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

extension DeviceLocation {
  /// Creates a location; nil without coordinates.
  fileprivate init?(_ report: LocationReport) {
    guard let latitude = report.latitude, let longitude = report.longitude else { return nil }
    self.init(latitude: latitude, longitude: longitude, accuracy: report.horizontalAccuracy, description: report.description)
  }
}
